from .training import LearningStep as LearningStep
from .training import curve as curve
from .training import learn as learn
