from .conllu import relation_tree as relation_tree
from .relations import Argument as Argument
from .relations import Predicate as Predicate
from .relations import relations as relations
