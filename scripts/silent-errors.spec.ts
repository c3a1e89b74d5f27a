import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, test } from '@jest/globals';

/** Places that take an error without looking at it. */
const SILENT = /\bcatch \{|\.catch\(\(\) =>|\.on(?:ce)?\('error', \(\) => (?:undefined|\{\})\)/;
const COMMENT = /^\s*(?:\/\/|\*|\/\*)/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'libs'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(?:apps|libs\/(?:host|platform|store))\/.*\.ts$/.test(file) && fs.existsSync(file))
  .filter((file) => !/(?:\.spec|testing)\.ts$|\/generated\//.test(file));

/** Lines of a text that take an error without a comment about it, above or right below. */
function findSilent(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const isExplained = COMMENT.test(lines[i - 1] ?? '') || COMMENT.test(lines[i + 1] ?? '');
    return SILENT.test(line) && !isExplained ? [i + 1] : [];
  });
}

test.each<[string, string, number[]]>([
  ['an empty catch', 'try {\n  f();\n} catch {\n}', [3]],
  ['a promise whose error is dropped', 'f().catch(() => undefined);', [1]],
  ['an emitter whose errors are dropped', "f.on('error', () => undefined);", [1]],
  ['one that says why', 'try {\n  f();\n} catch {\n  // The file is optional.\n}', []],
  ['one that tells of the error', 'f().catch((error) => log(error));', []],
])('%s is found when nothing says why', (_, text, expected) => expect(findSilent(text)).toEqual(expected));

test('no error vanishes: what takes one tells of it, or a comment says why nothing is lost', () => {
  expect(files.length).toBeGreaterThan(50);
  const silent = files.flatMap((file) => findSilent(fs.readFileSync(file, 'utf8')).map((line) => `${file}:${line}`));
  expect(silent).toEqual([]);
});
