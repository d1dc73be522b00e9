from .assistant import Assistant as Assistant
from .choices import Choice as Choice
from .sentence_view import SentenceView as SentenceView
from .training import LearningStep as LearningStep
from .training import curve as curve
from .training import learn as learn
