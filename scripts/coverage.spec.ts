import path from 'node:path';
import { expect, test } from '@jest/globals';

interface Row {
  readonly folder: string;
  readonly files: number;
  readonly lines: { readonly total: number; readonly covered: number };
}

const load = async () =>
  (await import(path.resolve('scripts/local/coverage.mjs'))) as { sumByFolder(summary: object): readonly Row[] };

const counts = (covered: number, total: number): object => {
  const count = { covered, total };
  return { lines: count, branches: count, functions: count };
};

test('coverage is summed by folder, four levels deep', async () => {
  const { sumByFolder } = await load();
  const rows = sumByFolder({
    total: counts(9, 12),
    [path.resolve('libs/engine/kinds/core/pod/kind.ts')]: counts(1, 2),
    [path.resolve('libs/engine/kinds/core/node/kind.ts')]: counts(3, 4),
    [path.resolve('apps/api/main.ts')]: counts(5, 6),
  });
  expect(rows.map(({ folder, files, lines }) => [folder, files, lines.covered, lines.total])).toEqual([
    ['apps/api', 1, 5, 6],
    ['libs/engine/kinds/core', 2, 4, 6],
  ]);
});
