import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FilterContext } from '../../framework/filter.js';
import { type Options, parseOptions } from '../../framework/options.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';
import type { Fetch } from '../fetch.js';

export type WgetState = {
  urls: Bytes[];
  url: Bytes;
  output: Bytes;
  isQuiet: boolean;
  isSpider: boolean;
  showsHead: boolean;
  isUnchecked: boolean;
  timeout: number;
  /** 0: without end. */
  tries: number;
  /** Of the URL, from 1. */
  attempt: number;
  retryAt: number;
  retriesRefused: boolean;
  /** ms between two tries at most. */
  patience: number;
  prefix: Bytes;
  method: string;
  /** GNU's -nv and -nc. */
  isTerse: boolean;
  keepsOld: boolean;
  headers: Bytes[];
  body: Bytes | null;
  agent: Bytes;
  redirects: number;
  fetch: Fetch | null;
  code: number;
};

const GNU_OPTIONS = [
  ...[
    'q,quiet',
    'O,output-document:',
    'S,server-response',
    'spider',
    'T,timeout:',
    't,tries:',
    'header:',
    'nv,no-verbose',
  ],
  ...[
    'post-data:',
    'post-file:',
    'U,user-agent:',
    'no-check-certificate',
    'c,continue',
    'P,directory-prefix:',
    '4',
    '6',
  ],
  ...['connect-timeout:', 'read-timeout:', 'dns-timeout:', 'waitretry:', 'retry-connrefused', 'no-proxy', 'd,debug'],
  ...['ca-certificate:', 'method:', 'body-data:', 'show-progress', 'progress:', 'N,timestamping', 'no-cache', 'n:'],
];
const BUSYBOX_OPTIONS = [
  ...['q,quiet', 'O,output-document:', 'S,server-response', 'spider', 'T,timeout:', 't,tries:', 'header:', 'o:', 'Y:'],
  ...['post-data:', 'post-file:', 'U,user-agent:', 'no-check-certificate', 'c,continue', 'P,directory-prefix:'],
];

const MAX_BODY = 16 << 20;

/** Reads a command line of GNU's wget, or of busybox'. Throws UsageFailure and ToolFailure. */
export function readWget(tool: FilterContext): WgetState {
  const options = parseOptions(tool, tool.flavour === 'gnu' ? GNU_OPTIONS : BUSYBOX_OPTIONS);
  if (options.operands.length === 0) throw new UsageFailure(tool.flavour === 'gnu' ? 'missing URL' : '');
  return readRequest(tool, options);
}

function readRequest(tool: FilterContext, options: Options): WgetState {
  const isGnu = tool.flavour === 'gnu';
  const seconds = (key: string): number | undefined => {
    const text = options.value(key);
    if (text === undefined || /^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return text === undefined ? text : Number(text);
    if (!isGnu) throw new ToolFailure(`invalid number '${text}'`);
    throw new ToolFailure(`--${key === 'T' ? 'timeout' : key}: Invalid time period '${text}'`, 2);
  };
  const timeout = seconds('T') ?? seconds('connect-timeout') ?? seconds('read-timeout') ?? 900;
  const { values, unknown } = readNo(options);
  if (unknown !== undefined) throw new UsageFailure(`invalid option -- 'n${unknown}'`);
  const body = readBody(tool, options);
  return {
    ...{ urls: [...options.operands], url: '', output: options.value('O') ?? '', isQuiet: options.has('q') },
    ...{ isSpider: options.has('spider'), showsHead: options.has('S'), timeout: (timeout || 86_400) * 1_000 },
    ...{ headers: options.values('header'), redirects: 0, fetch: null, body, prefix: options.value('P') ?? '' },
    ...{ isUnchecked: options.has('no-check-certificate') || !isGnu, code: 0, attempt: 1, retryAt: 0 },
    ...{ tries: Number(options.value('t') ?? 20) || 0, retriesRefused: options.has('retry-connrefused') },
    ...{ patience: (seconds('waitretry') ?? 10) * 1_000, method: options.value('method')?.toUpperCase() ?? '' },
    ...{ isTerse: options.has('nv') || values.includes('v'), keepsOld: values.includes('c') },
    agent: options.value('U') ?? (isGnu ? 'Wget/1.21.3' : 'Wget'),
  };
}

/** The letters of -nv, -nc, -nd and -nH. */
function readNo(options: Options): { readonly values: string; readonly unknown: string | undefined } {
  const values = options.values('n').join('');
  return { values, unknown: [...values].find((letter) => !'vcdH'.includes(letter)) };
}

function readBody(tool: FilterContext, options: Options): Bytes | null {
  const path = options.value('post-file');
  if (path === undefined) return options.value('post-data') ?? options.value('body-data') ?? null;
  try {
    const descriptor = tool.sys.open(path, { read: true });
    let body = '';
    for (
      let bytes = tool.sys.read(descriptor);
      bytes !== undefined && bytes !== '';
      bytes = tool.sys.read(descriptor)
    ) {
      body += bytes;
      tool.sys.setMemory(body.length);
      if (body.length > MAX_BODY) throw new ToolFailure('memory exhausted');
    }
    tool.sys.close(descriptor);
    return body;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (tool.flavour === 'busybox') throw new ToolFailure(`can't open '${path}': ${error.message}`);
    tool.err(`BODY data file '${path}' missing: ${error.message}\n`);
    throw new ToolFailure('', 3);
  }
}
