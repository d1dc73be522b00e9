from .annotated_sentence import AnnotatedSentence as AnnotatedSentence
from .creation import create as create
from .named_tree import NamedTree as NamedTree
from .operations import OPERATIONS as OPERATIONS
from .operations import perform as perform
from .project import ChangedMeanwhileError as ChangedMeanwhileError
from .project import Project as Project
from .settings import ProjectSettings as ProjectSettings
