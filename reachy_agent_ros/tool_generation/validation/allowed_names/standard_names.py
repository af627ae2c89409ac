"""Allowed names of the standard library and of numpy.

From the standard library, they exclude everything that opens files, starts programs or leads to other modules. From
numpy, they only include computation, and nothing that reads files, memory or the machine.
"""

from __future__ import annotations

from collections.abc import Mapping

STANDARD: Mapping[str, str] = {
    "__future__": "annotations",
    "array": "array",
    "asyncio": """
        ALL_COMPLETED CancelledError Condition Event FIRST_COMPLETED FIRST_EXCEPTION Future InvalidStateError
        LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull Semaphore BoundedSemaphore Task TaskGroup TimeoutError
        as_completed create_task current_task ensure_future gather get_event_loop get_running_loop iscoroutine
        iscoroutinefunction isfuture run shield sleep timeout to_thread wait wait_for""",
    "base64": """
        a85decode a85encode b16decode b16encode b32decode b32encode b64decode b64encode b85decode b85encode
        decodebytes encodebytes standard_b64decode standard_b64encode urlsafe_b64decode urlsafe_b64encode""",
    "binascii": "Error a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 crc_hqx hexlify unhexlify",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "calendar": """
        FRIDAY MONDAY SATURDAY SUNDAY THURSDAY TUESDAY WEDNESDAY Calendar calendar day_abbr day_name isleap leapdays
        month month_abbr month_name monthcalendar monthrange timegm weekday""",
    "cmath": """
        acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 nan nanj phase
        pi polar rect sin sinh sqrt tan tanh tau""",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "collections.abc": """
        Awaitable Callable Collection Coroutine Generator Hashable Iterable Iterator Mapping MutableMapping
        MutableSequence MutableSet Sequence Set Sized""",
    "colorsys": "hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
    "contextlib": "contextmanager nullcontext suppress",
    "copy": "copy deepcopy",
    "csv": "DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC reader writer",
    "dataclasses": "KW_ONLY FrozenInstanceError asdict astuple dataclass field is_dataclass replace",
    "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
    "decimal": """
        Clamped Context Decimal DecimalException DivisionByZero Inexact InvalidOperation Overflow ROUND_05UP
        ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded Subnormal
        Underflow getcontext localcontext setcontext""",
    "difflib": "SequenceMatcher get_close_matches ndiff unified_diff",
    "enum": "Enum Flag IntEnum IntFlag StrEnum auto unique",
    "fractions": "Fraction",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "hashlib": """
        blake2b blake2s md5 new pbkdf2_hmac scrypt sha1 sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512
        shake_128 shake_256""",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "hmac": "compare_digest digest new",
    "html": "escape unescape",
    "io": "BytesIO StringIO",
    "itertools": """
        accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest""",
    "json": "JSONDecodeError JSONDecoder JSONEncoder dumps loads",
    "math": """
        acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1
        fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log
        log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan tanh tau trunc
        ulp""",
    "numbers": "Complex Integral Number Rational Real",
    "operator": """
        abs add and_ concat contains countOf eq floordiv ge getitem gt iadd imul index indexOf inv invert is_ is_not
        isub itemgetter le length_hint lshift lt matmul mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth
        xor""",
    "pprint": "pformat",
    "random": """
        Random SystemRandom betavariate choice choices expovariate gammavariate gauss getrandbits getstate
        lognormvariate normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle
        triangular uniform vonmisesvariate weibullvariate""",
    "re": """
        A ASCII DOTALL I IGNORECASE M MULTILINE Match NOFLAG Pattern S U UNICODE VERBOSE X compile error escape findall
        finditer fullmatch match purge search split sub subn""",
    "secrets": "choice compare_digest randbelow randbits token_bytes token_hex token_urlsafe",
    "statistics": """
        NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean linear_regression mean
        median median_grouped median_high median_low mode multimode pstdev pvariance quantiles stdev variance""",
    "string": """
        Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable punctuation
        whitespace""",
    "struct": "Struct calcsize error iter_unpack pack unpack unpack_from",
    "textwrap": "TextWrapper dedent fill indent shorten wrap",
    "time": """
        asctime ctime gmtime localtime mktime monotonic monotonic_ns perf_counter perf_counter_ns process_time sleep
        strftime strptime struct_time thread_time time time_ns timezone""",
    "typing": """
        Any AnyStr AsyncIterator Awaitable Callable ClassVar Collection Coroutine DefaultDict Deque Dict Final FrozenSet
        Generator Hashable Iterable Iterator List Literal Mapping MutableMapping NamedTuple NewType NoReturn Optional
        Sequence Set SupportsFloat SupportsInt Text Tuple Type TypeAlias TypeVar TypedDict Union cast""",
    "unicodedata": """
        bidirectional category combining decimal decomposition digit east_asian_width is_normalized lookup mirrored name
        normalize numeric unidata_version""",
    "urllib": "",
    "urllib.parse": """
        parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urljoin urlparse urlsplit urlunparse
        urlunsplit""",
    "uuid": "UUID uuid3 uuid4 uuid5",
    "zlib": "adler32 compress crc32 decompress error",
    "zoneinfo": "ZoneInfo ZoneInfoNotFoundError available_timezones",
}
"""Allowed names by module, separated by spaces."""

_CONSTANTS_AND_TYPES = """
    False_ True_ bool bool_ byte bytes_ cdouble character complex128 complex64 complexfloating csingle datetime64 double
    dtype e euler_gamma finfo flexible float16 float32 float64 floating generic half iinfo inexact inf int16 int32 int64
    int8 int_ intc integer intp long longdouble longlong nan ndarray newaxis number object_ pi short signedinteger
    single str_ timedelta64 ubyte ufunc uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger
    ushort void"""

_ELEMENTWISE = """
    abs absolute acos acosh add angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh around asin asinh atan atan2
    atanh bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
    bitwise_xor cbrt ceil clip conj conjugate copysign cos cosh deg2rad degrees divide divmod equal exp exp2 expm1 fabs
    fix float_power floor floor_divide fmax fmin fmod frexp gcd greater greater_equal heaviside hypot i0 imag invert
    iscomplex isfinite isinf isnan isnat isneginf isposinf isreal lcm ldexp left_shift less less_equal log log10 log1p
    log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor maximum minimum mod modf multiply
    nan_to_num negative nextafter not_equal positive pow power rad2deg radians real real_if_close reciprocal remainder
    right_shift rint round sign signbit sin sinc sinh spacing sqrt square subtract tan tanh true_divide trunc"""

_MAKING = """
    arange array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray astype atleast_1d atleast_2d
    atleast_3d bartlett blackman block broadcast broadcast_arrays broadcast_shapes broadcast_to c_ copy copyto diag
    diagflat empty empty_like eye frombuffer fromfunction fromiter fromstring full full_like geomspace hamming hanning
    identity index_exp indices ix_ kaiser kron linspace logspace mask_indices matrix meshgrid mgrid ogrid ones ones_like
    r_ require s_ tri tril triu vander zeros zeros_like"""

_SHAPING = """
    append argpartition argsort argwhere array_split choose column_stack compress concat concatenate delete diag_indices
    diag_indices_from diagonal dsplit dstack expand_dims extract fill_diagonal flatnonzero flip fliplr flipud hsplit
    hstack insert lexsort matrix_transpose moveaxis ndenumerate ndim ndindex nonzero packbits pad partition permute_dims
    piecewise place put put_along_axis putmask ravel ravel_multi_index repeat reshape resize roll rollaxis rot90
    searchsorted select shape size sort sort_complex split squeeze stack swapaxes take take_along_axis tile transpose
    tril_indices tril_indices_from trim_zeros triu_indices triu_indices_from unpackbits unravel_index unstack vsplit
    vstack where"""

_SUMMARISING = """
    all allclose amax amin any apply_along_axis apply_over_axes argmax argmin array_equal array_equiv average bincount
    convolve corrcoef correlate count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum diff digitize dot
    ediff1d einsum gradient histogram histogram2d histogram_bin_edges histogramdd inner interp intersect1d isclose isin
    iscomplexobj isrealobj isscalar iterable matmul matvec max mean median min nanargmax nanargmin nancumprod nancumsum
    nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar outer percentile prod ptp
    quantile setdiff1d setxor1d std sum tensordot trace trapezoid union1d unique unique_counts unique_values unwrap var
    vdot vecdot vecmat"""

_OTHER = """
    array2string array_repr array_str base_repr binary_repr busday_count busday_offset can_cast common_type
    datetime_as_string errstate format_float_positional format_float_scientific is_busday isdtype isfortran issubdtype
    may_share_memory min_scalar_type poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval
    printoptions promote_types result_type roots set_printoptions shares_memory vectorize"""

NUMPY: Mapping[str, str] = {
    "numpy": _CONSTANTS_AND_TYPES + _ELEMENTWISE + _MAKING + _SHAPING + _SUMMARISING + _OTHER,
    "numpy.fft": """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq
        rfftn""",
    "numpy.lib": "",
    "numpy.lib.stride_tricks": "sliding_window_view",
    "numpy.linalg": """
        LinAlgError cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm""",
    "numpy.ma": """
        MaskedArray allclose array average clip compressed count filled getdata getmask is_masked masked masked_array
        masked_equal masked_greater masked_inside masked_invalid masked_less masked_outside masked_where max mean median
        min std sum var""",
    "numpy.polynomial": "Chebyshev Hermite HermiteE Laguerre Legendre Polynomial",
    "numpy.polynomial.polynomial": """
        Polynomial polyadd polyder polydiv polyfit polyfromroots polyint polymul polyroots polysub polyval""",
    "numpy.random": """
        Generator PCG64 RandomState SeedSequence beta binomial chisquare choice default_rng dirichlet exponential gamma
        geometric gumbel laplace logistic lognormal multinomial multivariate_normal normal pareto permutation poisson
        power rand randint randn random random_sample rayleigh sample seed shuffle standard_exponential standard_normal
        standard_t triangular uniform vonmises weibull zipf""",
    "numpy.typing": "ArrayLike NDArray",
}
"""Allowed names by module, separated by spaces."""
