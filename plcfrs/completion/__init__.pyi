from .model import Completion as Completion
