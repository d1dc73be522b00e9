from .discodop import compare_with_discodop as compare_with_discodop
from .discodop import from_discodop as from_discodop
from .discodop import to_discodop as to_discodop
from .networkx import from_networkx as from_networkx
from .networkx import to_networkx as to_networkx
from .nltk import from_nltk as from_nltk
from .nltk import to_nltk as to_nltk
from .nltk import to_nltk_positions as to_nltk_positions
