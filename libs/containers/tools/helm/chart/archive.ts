import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import type { Session } from '../../kubectl/session/session.js';
import { zip } from '../../archive/gzip-format.js';
import { encodeEntry, endArchive, padding, type TarEntry } from '../../archive/tar-format.js';
import { type Chart, type ChartFile, nameOf } from './chart.js';
import { writeWholeFile } from '../../whole-file.js';

/** A chart as `helm package` writes it: all in a folder of its name, Chart.yaml first. */
export function packChart(chart: Chart, clock: number): Bytes {
  const rest = chart.raw.filter(({ name }) => name !== 'Chart.yaml');
  const files: ChartFile[] = [{ name: 'Chart.yaml', data: bytesOf(formatYaml(chart.metadata)) }, ...rest];
  let tar = '';
  for (const { name, data } of files) {
    const entry = { name: bytesOf(`${nameOf(chart)}/${name}`), size: data.length, modified: Math.floor(clock / 1_000) };
    tar += encodeEntry({ ...ENTRY, ...entry }) + data + '\0'.repeat(padding(data.length));
  }
  return zip(tar + endArchive(tar.length), 9, clock);
}

const ENTRY: Omit<TarEntry, 'name' | 'size' | 'modified'> = {
  ...{ type: 'file', mode: 0o644, user: 0, group: 0, userName: '', groupName: '', target: '' },
  device: [0, 0],
};

/** Throws SystemError. */
export function writeArchive({ sys }: Session, path: string, chart: Chart, clock: number): void {
  writeWholeFile(sys, path, packChart(chart, clock));
}
