import type { Program } from '../../../engine/kernel/process/program.js';
import { bunzip2, bzcat, bzip2 } from './bzip2/bzip2.js';
import { gunzip, gzip, zcat } from './gzip.js';
import { tar } from './tar.js';
import { unzip } from './unzip.js';
import { zip } from './zip.js';

/** Archives: by package and name, and as busybox' applets. */
export const programs: Readonly<Record<string, Program>> = {
  ...{ 'tar:tar': tar, 'gzip:gzip': gzip, 'gzip:gunzip': gunzip, 'gzip:zcat': zcat },
  ...{ 'bzip2:bzip2': bzip2, 'bzip2:bunzip2': bunzip2, 'bzip2:bzcat': bzcat },
  ...{ 'busybox:bzip2': bzip2.as('busybox'), 'busybox:bunzip2': bunzip2.as('busybox') },
  'busybox:bzcat': bzcat.as('busybox'),
  ...{ 'zip:zip': zip, 'unzip:unzip': unzip },
  ...{ 'busybox:tar': tar.as('busybox'), 'busybox:gzip': gzip.as('busybox') },
  ...{ 'busybox:gunzip': gunzip.as('busybox'), 'busybox:zcat': zcat.as('busybox') },
};
