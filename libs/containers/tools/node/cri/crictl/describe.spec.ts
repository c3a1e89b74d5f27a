import { expect, test } from '@jest/globals';
import { textOf } from '../../../../../engine/kernel/bytes.js';
import { ToolFailure, type ToolContext } from '../../../framework/tool.js';
import { printData } from './describe.js';

function print(value: object, output?: string, template?: string): string {
  let text = '';
  printData({ out: (bytes) => void (text += textOf(bytes)) } as ToolContext, value, output, template);
  return text;
}

test.each([
  [undefined, '', '{\n  "info": {\n    "pid": 7\n  }\n}\n'],
  ['yaml', '', 'info:\n  pid: 7\n'],
  ['go-template', '{{ .info.pid }} of {{.status}}', '7 of <no value>\n'],
])('as %s %s', (output, template, expected) => expect(print({ info: { pid: 7 } }, output, template)).toBe(expected));

test.each([
  ['xml', '', 'unsupported output format "xml"'],
  ['go-template', '{{range .a}}', 'the action "range .a" of a template is not simulated: fields by path are'],
  ['go-template', '', 'template must be provided when output is go-template'],
])('as %s %s it is refused', (output, template, message) =>
  expect(() => print({}, output, template)).toThrow(new ToolFailure(message)),
);
