from .finding import Finding as Finding
from .indices import check_indices as check_indices
from .labels import LabelSets as LabelSets
from .labels import check_labels as check_labels
from .rules import Rule as Rule
from .rules import check_rules as check_rules
from .rules import read_rules as read_rules
from .variation import find_variation as find_variation
