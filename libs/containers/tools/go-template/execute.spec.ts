import { expect, test } from '@jest/globals';
import { runGoTemplate } from '../kubectl/output/template.js';

const POD = {
  kind: 'List',
  metadata: { name: 'web', labels: { app: 'a', 'b/c': 'd' }, generation: 3 },
  items: [
    { name: 'x', on: true, data: 'aGk=' },
    { name: 'y', on: false },
  ],
  big: 1_000_000,
  half: 0.5,
  none: null,
};

// As Go's text/template prints them.
test.each([
  ['{{.metadata.name}}', 'web'],
  [
    '{{.metadata.generation}} {{.big}} {{.half}} {{.none}} {{.nope}} {{.nope.deeper}}',
    '3 1000000 0.5 <nil> <no value> <no value>',
  ],
  ['{{range .items}}{{.name}}{{"\\n"}}{{end}}', 'x\ny\n'],
  ['{{range $i, $e := .items}}{{if $i}}, {{end}}{{$i}}={{$e.name}}{{end}}', '0=x, 1=y'],
  ['{{range $k, $v := .metadata.labels}}{{$k}}:{{$v}} {{end}}', 'app:a b/c:d '],
  ['{{range .nope}}x{{else}}nothing{{end}}', 'nothing'],
  ['{{range .items}}{{if .on}}{{continue}}{{end}}{{.name}}{{break}}{{end}}', 'y'],
  ['{{if eq .kind "List" "Pod"}}a{{else}}b{{end}}', 'a'],
  ['{{if ne .kind "List"}}a{{else if .none}}b{{else}}c{{end}}', 'c'],
  ['{{with .metadata}}{{.name}} {{$.kind}}{{end}}{{with .none}}x{{else}}y{{end}}', 'web Listy'],
  ['{{index .metadata.labels "b/c"}} {{(index .items 1).name}}', 'd y'],
  ['{{len .items}} {{len .kind}} {{not .none}}', '2 4 true'],
  ['{{printf "%-5s|%5s|%q|%v" .kind "ab" "c" .metadata.labels}}', 'List |   ab|"c"|map[app:a b/c:d]'],
  ['{{printf "%d %d" 3 .metadata.generation}}', '3 3'],
  ['{{.metadata.name | printf "%s-%s" "a"}}', 'a-web'],
  ['{{(index .items 0).data | base64decode}}', 'hi'],
  ['{{if exists .metadata "labels" "app"}}yes{{end}}{{if exists .metadata "x"}}no{{end}}', 'yes'],
  ['a {{- " b " -}} c', 'a b c'],
  ['{{/* nothing */}}{{$x := 1}}{{range .items}}{{$x = .name}}{{end}}{{$x}}', 'y'],
  ['{{and .kind .none}} {{or .none .kind}}', '<nil> List'],
  ['{{define "T"}}<{{.}}>{{end}}{{template "T" .kind}}', '<List>'],
  ['{{if gt (len .items) 1}}many{{end}} {{slice .kind 1 3}} {{print 1 2 "a"}}', 'many is 1 2a'],
  ['{{.items}}', '[map[data:aGk= name:x on:true] map[name:y on:false]]'],
])('%s', (text, output) => expect(runGoTemplate(text, POD)).toBe(output));

test.each([
  ['{{.a', 'error parsing template {{.a, template: output:1: unclosed action'],
  ['{{foo}}', 'error parsing template {{foo}}, template: output:1: function "foo" not defined'],
  ['{{if .a}}', 'error parsing template {{if .a}}, template: output:1: unexpected EOF'],
  ['{{$y}}', 'error parsing template {{$y}}, template: output:1: undefined variable "$y"'],
  ['{{break}}', 'error parsing template {{break}}, template: output:1: {{break}} outside {{range}}'],
  ['{{1 | 2}}', 'error parsing template {{1 | 2}}, template: output:1: non executable command in pipeline stage 2'],
  ['{{.kind .x}}', 'template: output:1:2: executing "output" at <.kind>: kind is not a method but has arguments'],
  ['{{end}}', 'error parsing template {{end}}, template: output:1: unexpected {{end}}'],
  [
    '{{if eq .metadata.generation "3"}}x{{end}}',
    'template: output:1:5: executing "output" at <eq .metadata.generation "3">: error calling eq: incompatible types for comparison',
  ],
  [
    '{{index .items 5}}',
    'template: output:1:2: executing "output" at <index .items 5>: error calling index: index out of range: 5',
  ],
  ['{{range .kind}}x{{end}}', 'template: output:1:8: executing "output" at <.kind>: range can\'t iterate over List'],
  [
    '{{.kind.x}}',
    'template: output:1:7: executing "output" at <.kind.x>: can\'t evaluate field x in type interface {}',
  ],
])('%s fails', (text, message) => expect(() => runGoTemplate(text, POD)).toThrow(message));

test('keys that are not there can be refused', () =>
  expect(() => runGoTemplate('{{.nope}}', POD, false)).toThrow('map has no entry for key "nope"'));
