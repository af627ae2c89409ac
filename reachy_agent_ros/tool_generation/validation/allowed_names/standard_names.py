"""What a tool may use of the standard library: nothing that opens files, starts programs or leads to other modules."""

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
"""Names by module, separated by blanks."""
