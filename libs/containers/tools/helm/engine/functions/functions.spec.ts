import { expect, test } from '@jest/globals';
import { renderText } from '../testing.js';

// As helm 3.18 renders them.
test.each([
  [
    '{{ .Values.n }} {{ .Values.big }} {{ .Values.f }} {{ .Values.huge }} {{ .Values.nope }} {{ .Values.nul }}',
    ' 1e+06 1.5 1.2345678901234568e+17',
  ],
  ['{{ .Values.list }} {{ .Values.map }}', '[a b 2] map[a:1 b:map[c:d] l:[1 map[x:y]]]'],
  ['{{ eq .Values.n 1 }}', 'false'],
  ['{{ if .Values.n }}y{{ end }}{{ if .Values.zero }}z{{ else }}n{{ end }}', 'n'],
  [
    '{{ typeOf .Values.n }} {{ kindOf .Values.n }} {{ typeOf 1 }} {{ typeOf .Values.list }} {{ typeOf .Values.map }} {{ typeOf nil }} {{ kindOf .Values.nope }} {{ kindIs "map" .Values.map }}',
    '<nil> invalid int []interface {} map[string]interface {} <nil> invalid true',
  ],
  ['{{ quote .Values.s 1 nil true .Values.f }} {{ squote "a" 1 }}', '"str" "1" "true" "1.5" \'a\' \'1\''],
  ['{{ quote "a\\"b\\n\\t\\\\ é" }}', '"a\\"b\\n\\t\\\\ é"'],
  ['{{ "hello world" | title }} {{ "ABC" | lower | upper }} {{ untitle "First Try" }}', 'Hello World ABC first try'],
  ['{{ trunc 5 "hello world" }} {{ trunc -5 "hello world" }} {{ trunc 63 "x" | trimSuffix "-" }}', 'hello world x'],
  ['{{ trimPrefix "v" "v1" }} {{ trimAll "$" "$5$" }} {{ trim "  a " }} {{ nospace "a b c" }}', '1 5 a abc'],
  [
    '{{ replace "a" "b" "banana" }} {{ repeat 3 "ab" }} {{ contains "an" "banana" }} {{ hasPrefix "b" "ba" }} {{ hasSuffix "a" "ba" }}',
    'bbnbnb ababab true true true',
  ],
  ['{{ cat "a" 1 nil "b" }} {{ indent 2 "a\\nb" }}|{{ nindent 2 "a\\nb" }}', 'a 1 b   a\n  b|\n  a\n  b'],
  [
    '{{ substr 0 3 "hello" }} {{ abbrev 5 "hello world" }} {{ initials "First Try" }} {{ plural "one" "many" 2 }}',
    'hel he... FT many',
  ],
  [
    '{{ snakecase "FirstName" }} {{ camelcase "http_server" }} {{ kebabcase "FirstName" }} {{ swapcase "aB" }}',
    'first_name HttpServer first-name Ab',
  ],
  [
    '{{ list 1 2 3 }} {{ first (list 1 2) }} {{ last (list 1 2) }} {{ rest (list 1 2 3) }} {{ initial (list 1 2 3) }} {{ append (list 1) 2 }} {{ prepend (list 1) 0 }} {{ concat (list 1) (list 2 "a") }} {{ reverse (list 1 2) }} {{ uniq (list 1 1 2) }} {{ without (list 1 2 3) 2 }} {{ has 2 (list 1 2) }} {{ compact (list 1 "" 0 2) }} {{ slice (list 1 2 3 4) 1 3 }} {{ chunk 2 (list 1 2 3) }}',
    '[1 2 3] 1 2 [2 3] [1 2] [1 2] [0 1] [1 2 a] [2 1] [1 2] [1 3] true [1 2] [2 3] [[1 2] [3]]',
  ],
  [
    '{{ first list }} {{ join "," (list 1 "a" true) }} {{ join "-" .Values.list }} {{ sortAlpha (list "c" "a") }} {{ splitList "," "a,b" }} {{ (split "," "a,b")._1 }} {{ toStrings (list 1 2) }}',
    ' 1,a,true a-b-2 [a c] [a b] b [1 2]',
  ],
  [
    '{{ until 3 }} {{ untilStep 0 10 3 }} {{ seq 3 }} {{ seq 0 2 6 }} {{ range $i := until 3 }}{{ $i }},{{ end }}',
    '[0 1 2] [0 3 6 9] 1 2 3 0 2 4 6 0,1,2,',
  ],
  [
    '{{ dict "a" 1 "b" (list 1) }} {{ get (dict "a" 1) "a" }} {{ get (dict) "x" }}| {{ hasKey (dict "a" 1) "a" }} {{ keys (dict "a" 1) }} {{ values (dict "a" 1) }} {{ set (dict "a" 1) "b" 2 }} {{ unset (dict "a" 1) "a" }} {{ pick (dict "a" 1 "b" 2) "a" }} {{ omit (dict "a" 1 "b" 2) "a" }} {{ pluck "a" (dict "a" 1) (dict "a" 2) }}',
    'map[a:1 b:[1]] 1 | true [a] [1] map[a:1 b:2] map[] map[a:1] map[b:2] [1 2]',
  ],
  [
    '{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }} {{ mergeOverwrite (dict "a" 1) (dict "a" 2 "b" 3) }} {{ merge (dict "m" (dict "x" 1)) (dict "m" (dict "y" 2)) }} {{ mergeOverwrite (dict "a" 1) (dict "a" "") }} {{ merge (dict "a" false) (dict "a" true) }}',
    'map[a:1 b:3] map[a:2 b:3] map[m:map[x:1 y:2]] map[a:] map[a:true]',
  ],
  ['{{ dig "a" "b" "none" (dict "a" (dict "b" 1)) }} {{ dig "a" "c" "none" (dict "a" (dict "b" 1)) }}', '1 none'],
  [
    '{{ default "x" "" }} {{ default "x" 0 }} {{ default "x" false }} {{ default "x" (list) }} {{ default "x" .Values.nope }} {{ .Values.s | default "d" }} {{ empty .Values.nope }} {{ coalesce "" 0 "c" }} {{ ternary "y" "n" true }} {{ true | ternary "y" "n" }} {{ all 1 "" }} {{ any 0 "a" }}',
    'x x x x x str true c y y false true',
  ],
  [
    '{{ add 1 2 3 }} {{ sub 5 2 }} {{ mul 2 3 }} {{ div 7 2 }} {{ mod 7 3 }} {{ add1 1 }} {{ max 1 5 3 }} {{ min 1 5 3 }} {{ floor 3.7 }} {{ ceil 3.2 }} {{ round 3.14159 2 }} {{ addf 1.5 2 }} {{ mulf 1.5 2 }} {{ divf 3 2 }} {{ int "12" }} {{ int64 "0x10" }} {{ float64 "1.5" }} {{ int .Values.f }} {{ atoi "5" }} {{ add .Values.n 1 }}',
    '6 3 6 3 1 2 5 1 3 4 3.14 3.5 3 1.5 12 16 1.5 1 5 1',
  ],
  [
    '{{ b64enc "hello" }} {{ b64dec "aGVsbG8=" }} {{ b64dec "!!" }} {{ sha256sum "a" }} {{ adler32sum "abc" }} {{ sha1sum "a" }}',
    'aGVsbG8= hello illegal base64 data at input byte 0 ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb 38600999 86f7e437faa5a7fce15d1ddcb9eaeaea377667b8',
  ],
  ['{{ toYaml .Values.map }}', 'a: 1\nb:\n  c: d\nl:\n- 1\n- x: "y"'],
  [
    '{{ printf "%s %d %v %q %t %5.2f %x %05d %-5s| %T" "a" 1 (list 1) "q" true 1.5 255 42 "l" 1 }} {{ printf "%d" .Values.n }} {{ printf "%s" .Values.n }} {{ printf "%v" .Values.big }} {{ printf "%.0f" .Values.n }} {{ printf "%s" nil }} {{ printf "%d" }} {{ printf "a" 1 }} {{ printf "%%" }} {{ printf "%s" (list "a" "b") }} {{ printf "%s" (dict "a" "b") }} {{ printf "%c" 65 }} {{ printf "%+d" 5 }} {{ printf "%6d|%-6d|" 5 5 }} {{ printf "%e" 1.5 }} {{ printf "%v" 1.0 }} {{ printf "%g" 1e21 }} {{ printf "%x" "hi" }} {{ printf "%*d" 5 3 }} {{ printf "%[2]s %[1]s" "a" "b" }}',
    'a 1 [1] "q" true  1.50 ff 00042 l    | int %!d(<nil>) %!s(<nil>) 1e+06 %!f(<nil>) %!s(<nil>) %!d(MISSING) a%!(EXTRA int=1) % [a b] map[a:b] A +5      5|5     | 1.500000e+00 1 1e+21 6869     3 b a',
  ],
  [
    '{{ semverCompare ">=1.2.3" "1.3.0" }} {{ semverCompare "^1.2.0" "1.9.0" }} {{ semverCompare "~1.2.0" "1.3.0" }} {{ semverCompare ">=1.19-0" .Capabilities.KubeVersion.Version }} {{ semverCompare "<1.14-0" "v1.36.0" }} {{ semverCompare ">=1.21-0" "v1.30.1-eks-abc" }} {{ semverCompare ">=1.21" "v1.30.1-eks-abc" }} {{ semverCompare "1.x" "1.5.2" }} {{ semverCompare ">1.2" "1.2.5" }} {{ semverCompare "1.2 - 1.5" "1.4.0" }} {{ semverCompare ">1 <3 || 5" "5.0.0" }} {{ semverCompare "^0.2.3" "0.3.0" }} {{ semverCompare "!=1.2.3" "1.2.4" }} {{ semverCompare "<=1.2" "1.2.9" }} {{ semverCompare "<=1.2.3" "1.2.9" }} {{ semverCompare "*" "1.0.0" }}',
    'true true false true false true false true false true true false true true false true',
  ],
  ['{{ (semver "1.2.3-beta+x").Major }} {{ (semver "1.2.3-beta+x").Prerelease }} {{ semver "1.2.3" }}', '1 beta 1.2.3'],
  [
    '{{ regexMatch "^a.c$" "abc" }} {{ regexFind "[0-9]+" "ab12c3" }} {{ regexFindAll "[0-9]" "1a2b3" -1 }} {{ regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W" }} {{ regexReplaceAllLiteral "a(x*)b" "-ab-axxb-" "${1}W" }} {{ regexSplit "z+" "pizza" -1 }} {{ regexQuoteMeta "1.2" }} {{ regexReplaceAll "[^a-z0-9]+" "A b_c" "-" }} {{ mustRegexMatch "a" "a" }}',
    'true 12 [1 2 3] -W-xxW- -${1}W-${1}W- [pi a] 1\\.2 -b-c true',
  ],
  ['{{ regexMatch "(" "a" }}', 'false'],
  ['{{ required "need it" .Values.s }}', 'str'],
  ['{{ tpl "{{ .Values.s }}-{{ include \\"h\\" . }}" . }} {{ tpl .Values.t . }}', 'str-Hstr Tstr'],
  ['{{ include "h" . }} {{ include "h" . | upper }} {{ template "h" . }}', 'Hstr HSTR Hstr'],
  [
    '{{ .Release }} {{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.Type }} {{ .Chart.IsRoot }} {{ .Chart.Description }}|{{ .Chart.Keywords }}',
    'map[IsInstall:true IsUpgrade:false Name:r Namespace:default Revision:1 Service:Helm] c 0.1.0 1  true d|[]',
  ],
  ['{{ .Release.Nope }}', ''],
  [
    '{{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "foo/v1" }} {{ .Capabilities.KubeVersion.Major }} {{ (lookup "v1" "Pod" "x" "y") }} {{ len (lookup "v1" "Pod" "x" "") }} {{ .Capabilities.HelmVersion.GoVersion | empty }}',
    'true false 1 map[] 0 false',
  ],
  [
    '{{ range $i, $e := .Values.list }}{{ $i }}{{ $e }}{{ else }}none{{ end }} {{ range .Values.nope }}x{{ else }}none{{ end }} {{ range $k, $v := .Values.map }}{{ $k }}={{ $v }};{{ end }}',
    '0a1b22 none a=1;b=map[c:d];l=[1 map[x:y]];',
  ],
  [
    '{{ with .Values.map }}{{ .a }}{{ $.Release.Name }}{{ end }}{{ with .Values.nope }}x{{ else }}e{{ end }}{{ with .Values.nope }}x{{ else with .Values.s }}{{ . }}{{ end }}',
    '1restr',
  ],
  [
    '{{ $x := 1 }}{{ $x = 2 }}{{ $x }} {{- " t" -}}   z {{ if and .Values.n .Values.s }}both{{ end }}{{ if or .Values.nope .Values.s }}one{{ end }}{{ if not .Values.nope }}not{{ end }} {{ and 1 0 }} {{ or 0 "x" }}',
    '2 tz onenot 0 x',
  ],
  [
    '{{ range $i := until 5 }}{{ if eq $i 3 }}{{ break }}{{ end }}{{ if eq $i 1 }}{{ continue }}{{ end }}{{ $i }}{{ end }}',
    '02',
  ],
  ['{{ .Values.s | }}', 'str'],
  [
    '{{ deepCopy .Values.map | toJson }} {{ kindOf (deepCopy .Values.list) }} {{ toString 1.0 }} {{ toString nil }} {{ toString (list 1) }} {{ toDecimal 0777 }} {{ base "a/b.c" }} {{ dir "a/b.c" }} {{ ext "a/b.c" }} {{ clean "a/../b" }} {{ isAbs "/a" }}',
    '{"a":1,"b":{"c":"d"},"l":[1,{"x":"y"}]} slice 1 <nil> [1] 329 b.c a .c b true',
  ],
  [
    '{{ toYaml .Values.deep }}',
    'a: "yes"\nm:\n- "1"\n- 1\n- \'a: b\'\n- \'- x\'\n- \'#c\'\n- ""\n- \' lead\'\n- \'tr \'\n- null\n- 1000\n- "null"\n- "~"\n- "0x1"\n- "1.0"\n- "1e3"\n- =\n- \'@a\'\n- \'*a\'\n- \'&b\'\n- \'!c\'\n- \'{d\'\n- a#b\n- \'a #b\'\n- \'x:\'\n- :x\n- |-\n  multi\n  line\n- "tab\\t"\n- é\n- "\\x01"\n- "2024-01-01"\n- "on"\nz: "true"',
  ],
  ['{{ int "abc" }} {{ int "1.9" }} {{ int true }} {{ int nil }}', '0 0 1 0'],
  [
    '{{ eq "a" "a" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ ge 2 2 }} {{ eq .Values.s "str" "x" }} {{ eq nil .Values.nope }}',
    'true true true true true true',
  ],
  [
    '{{ regexFind "(a)(b)?" "ac" }} {{ trimSuffix "-" "abc--" }} {{ splitn "," 2 "a,b,c" }} {{ "a,b" | split "," | toJson }} {{ list "a" "b" | toJson }} {{ dict "z" 1 "a" 2 | toYaml }} {{ mustToJson (list 1) }} {{ mustFirst (list 1) }}',
    'a abc- map[_0:a _1:b,c] {"_0":"a","_1":"b"} ["a","b"] a: 2\nz: 1 [1] 1',
  ],
  [
    '{{ .Values.map.a | typeOf }} {{ .Values.map.b.c }} {{ (index .Values.list 0) }} {{ .Values.emptymap }} {{ .Values.emptylist }} {{ not .Values.emptymap }}',
    'float64 d a map[] [] true',
  ],
  ['{{ printf "%s-%s" .Release.Name "x" | trunc 63 | trimSuffix "-" }} {{- /* c */ -}} end', 'r-xend'],
  ['{{ block "blk" . }}B{{ .Values.s }}{{ end }} {{ define "inner" }}I{{ end }}{{ template "inner" }}', 'Bstr I'],
  [
    '{{ $m := dict }}{{ $_ := set $m "k" "v" }}{{ $m.k }} {{ range $i, $_ := list "a" "b" }}{{ $i }}{{ end }} {{ $l := list }}{{ range until 3 }}{{ $l = append $l . }}{{ end }}{{ $l | join "," }}',
    'v 01 0,1,2',
  ],
])('%s', (text, output) => expect(renderText(text).trimEnd()).toBe(output));

test.each([
  [
    '{{ .Values.nope.deeper }}',
    'template: c/t:1:10: executing "c/t" at <.Values.nope.deeper>: nil pointer evaluating interface {}.deeper',
  ],
  [
    '{{ .Values.s.deeper }}',
    'template: c/t:1:10: executing "c/t" at <.Values.s.deeper>: can\'t evaluate field deeper in type interface {}',
  ],
  [
    '{{ eq (int .Values.n) 3 }} {{ gt .Values.n 2.0 }}',
    'template: c/t:1:30: executing "c/t" at <gt .Values.n 2.0>: error calling gt: invalid type for comparison',
  ],
  [
    '{{ trunc 5 .Values.n }}',
    'template: c/t:1:18: executing "c/t" at <.Values.n>: wrong type for value; expected string; got interface {}',
  ],
  [
    '{{ trunc .Values.n "hello" }}',
    'template: c/t:1:16: executing "c/t" at <.Values.n>: wrong type for value; expected int; got interface {}',
  ],
  [
    '{{ trunc 5 .Values.nope }}',
    'template: c/t:1:18: executing "c/t" at <.Values.nope>: wrong type for value; expected string; got interface {}',
  ],
  [
    '{{ upper .Values.nope }}',
    'template: c/t:1:16: executing "c/t" at <.Values.nope>: wrong type for value; expected string; got interface {}',
  ],
  ['{{ .Values.nope | upper }}', 'template: c/t:1:18: executing "c/t" at <upper>: invalid value; expected string'],
  ['{{ .Values.n | upper }}', 'template: c/t:1:15: executing "c/t" at <upper>: invalid value; expected string'],
  [
    '{{ ternary "y" "n" .Values.nope }}',
    'template: c/t:1:26: executing "c/t" at <.Values.nope>: wrong type for value; expected bool; got interface {}',
  ],
  [
    '{{ div 1 0 }}',
    'template: c/t:1:3: executing "c/t" at <div 1 0>: error calling div: runtime error: integer divide by zero',
  ],
  [
    '{{ mod 1 0 }}',
    'template: c/t:1:3: executing "c/t" at <mod 1 0>: error calling mod: runtime error: integer divide by zero',
  ],
  [
    '{{ semverCompare "foo" "1.0" }}',
    'template: c/t:1:3: executing "c/t" at <semverCompare "foo" "1.0">: error calling semverCompare: improper constraint: foo',
  ],
  [
    '{{ semverCompare ">=1" "foo" }}',
    'template: c/t:1:3: executing "c/t" at <semverCompare ">=1" "foo">: error calling semverCompare: Invalid Semantic Version',
  ],
  ['{{ required "need it" .Values.nope }}', 'execution error at (c/t:1:3): need it'],
  ['{{ required "need it" "" }}', 'execution error at (c/t:1:3): need it'],
  ['{{ fail "stop here" }}', 'execution error at (c/t:1:3): stop here'],
  [
    '{{ tpl "{{ .Values.s" . }}',
    'template: c/t:1:3: executing "c/t" at <tpl "{{ .Values.s" .>: error calling tpl: cannot parse template "{{ .Values.s": template: gotpl:1: unclosed action',
  ],
  [
    '{{ tpl "{{ .Values.a.b.c }}" . }}',
    'template: c/t:1:3: executing "c/t" at <tpl "{{ .Values.a.b.c }}" .>: error calling tpl: error during tpl function execution for "{{ .Values.a.b.c }}": template: gotpl:1:10: executing "gotpl" at <.Values.a.b.c>: nil pointer evaluating interface {}.b',
  ],
  [
    '{{ include "nope" . }}',
    'template: c/t:1:3: executing "c/t" at <include "nope" .>: error calling include: template: no template "nope" associated with template "gotpl"',
  ],
  [
    '{{ template "nope" . }}',
    'template: c/t:1:12: executing "c/t" at <{{template "nope" .}}>: template "nope" not defined',
  ],
  [
    '{{ include "bad" . }}',
    'template: c/t:1:3: executing "c/t" at <include "bad" .>: error calling include: template: c/_h.tpl:2:10: executing "bad" at <.Values.a.b>: nil pointer evaluating interface {}.b',
  ],
  [
    '{{ .Chart.Nope }}',
    'template: c/t:1:9: executing "c/t" at <.Chart.Nope>: can\'t evaluate field Nope in type interface {}',
  ],
  [
    '{{ index .Values.list 1 }} {{ index .Values.map "a" }} {{ index .Values "s" }} {{ len .Values.list }} {{ len "é" }} {{ index .Values.list 9 }}',
    'template: c/t:1:120: executing "c/t" at <index .Values.list 9>: error calling index: index out of range: 9',
  ],
  [
    '{{ index .Values.map "a" "b" }}',
    'template: c/t:1:3: executing "c/t" at <index .Values.map "a" "b">: error calling index: can\'t index item of type float64',
  ],
  ['{{ foo }}', 'parse error at (c/t:1): function "foo" not defined'],
  ['{{ if .Values.s }}', 'parse error at (c/t:1): unexpected EOF'],
  [
    '{{ "a" | nindent }}',
    'template: c/t:1:9: executing "c/t" at <nindent>: wrong number of args for nindent: want 2 got 1',
  ],
  ['{{ upper }}', 'template: c/t:1:3: executing "c/t" at <upper>: wrong number of args for upper: want 1 got 0'],
  [
    '{{ upper "a" "b" }}',
    'template: c/t:1:3: executing "c/t" at <upper>: wrong number of args for upper: want 1 got 2',
  ],
  [
    '{{ hasKey .Values "s" }} {{ hasKey .Values.nope "s" }}',
    'template: c/t:1:42: executing "c/t" at <.Values.nope>: wrong type for value; expected map[string]interface {}; got interface {}',
  ],
  [
    '{{ has "a" .Values.s }}',
    'template: c/t:1:3: executing "c/t" at <has "a" .Values.s>: error calling has: Cannot find has on type string',
  ],
  ['{{ lower 5 }}', 'template: c/t:1:9: executing "c/t" at <5>: expected string; found 5'],
  [
    '{{ .Values | toYaml | len | lt 5 }} {{ pick .Values "s" | toJson }} {{ .Values.a.b.c }}',
    'template: c/t:1:78: executing "c/t" at <.Values.a.b.c>: nil pointer evaluating interface {}.b',
  ],
  [
    '{{ lookup "v1" "Pod" }}',
    'template: c/t:1:3: executing "c/t" at <lookup>: wrong number of args for lookup: want 4 got 2',
  ],
  [
    '{{ .Subcharts }} {{ .Values.global }} {{ typeIs "string" "a" }} {{ typeIsLike "string" "a" }} {{ kindIs "float64" .Values.n }} {{ deepEqual (list 1) (list 1) }} {{ urlParse "http://a.b/c" | toJson }} {{ getHostByName "x" }}| {{ env "HOME" }}',
    'parse error at (c/t:1): function "env" not defined',
  ],
])('%s fails', (text, message) => expect(() => renderText(text)).toThrow(message));
