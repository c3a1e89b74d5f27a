import { parseDefinitions } from '../syntax/parse.js';
import { type Definition } from '../syntax/syntax.js';

/** Builtins that are written in jq. */
const TEXT = `
def map(f): [.[] | f];
def select(f): if f then . else empty end;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def map_values(f): .[] |= f;
def recurse(f; cond): recurse(f | select(cond));
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + { ($x
  | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name
    elif has("Name") then .Name elif has("Key") then .Key elif has("K") then .K else null end) else . end
  | if type == "string" then . elif type == "null" then "null" else tojson end):
  ($x | if type == "object" then (if has("value") then .value elif has("v") then .v elif has("Value") then .Value
    elif has("V") then .V else null end) else null end) });
def with_entries(f): to_entries | map(f) | from_entries;
def reverse: if type == "string" then explode | reverse | implode else [.[length - 1 - range(0; length)]] end;
def indices($i): if type == "array" and ($i | type) == "array" then .[$i]
  elif type == "array" then .[[$i]] elif . == null then null else _indices($i) end;
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def join($x): reduce .[] as $i (null; (if . == null then "" else . + $x end)
  + ($i | if type == "boolean" or type == "number" then tojson else . // "" end))
  | if . == null then "" else . end;
def flatten: flatten(1e9);
def range($x): range(0; $x);
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def todate: todateiso8601;
def date: todate;
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def any: any(.[]; .);
def all: all(.[]; .);
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def add(f): reduce f as $x (null; . + $x);
def min_by(f): _by(f; "min");
def max_by(f): _by(f; "max");
def sort_by(f): _by(f; "sort");
def group_by(f): _by(f; "group");
def unique_by(f): _by(f; "unique");
def sort: sort_by(.);
def unique: unique_by(.);
def min: min_by(.);
def max: max_by(.);
def paths: path(..) | select(length > 0);
def paths(f): . as $d | paths | select(. as $p | $d | getpath($p) | f);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def toarray: if type == "array" then . else [.] end;
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def debug(f): (f | debug | empty), .;
def match($re): match($re; null);
def match($re; $flags): _match($re; $flags; false) | .[];
def test($re): test($re; null);
def test($re; $flags): _match($re; $flags; true);
def capture($re): capture($re; null);
def capture($re; $flags): match($re; $flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}]
  | from_entries;
def scan($re): scan($re; null);
def scan($re; $flags): match($re; "g" + $flags)
  | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def split($re; $flags): . as $s | [foreach ((match($re; $flags + "g") | [.offset, .length]), null) as $m
  ([0, null]; if $m == null then [.[0], $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];
def splits($re): splits($re; null);
def splits($re; $flags): split($re; $flags) | .[];
def sub($re; str): sub($re; str; "");
def sub($re; str; $flags): . as $in
  | (reduce (match($re; $flags) | . as $m | ($m.captures | map(select(.name != null) | {key: .name, value: .string})
    | from_entries) as $c | [$m, $c]) as $p ([[0, ""]];
    [.[] as $s | ($p[1] | str) as $t | [$p[0].offset + $p[0].length, $s[1] + $in[$s[0]:$p[0].offset] + $t]]))
  | .[] | .[1] + $in[.[0]:];
def gsub($re; str): sub($re; str; "g");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p)
  | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init;
  if .e then $init else . end | if $i | length == 2
  then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
  else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input
  | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def env: $ENV;
def halt_error: halt_error(5);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def have_literal_numbers: true;
def have_decnum: false;
def error: error(.);
def abs: if type == "number" and . < 0 then -. elif type == "number" then .
  else error("\\(type) (\\(tojson)) has no absolute value") end;
`;

export const PRELUDE: ReadonlyMap<string, Definition> = new Map(
  parseDefinitions(TEXT).map((definition) => [`${definition.name}/${definition.parameters.length}`, definition]),
);
