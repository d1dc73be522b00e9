from .assistant import Assistant as Assistant
from .assistant import SentenceView as SentenceView
from .choices import Choice as Choice
from .training import LearningStep as LearningStep
from .training import curve as curve
from .training import learn as learn
