import { parse } from 'yaml';
import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import type { Options } from '../../../framework/options.js';
import { ToolFailure, type WaitingContext } from '../../../framework/tool.js';
import { formatTable } from '../../runtime.js';
import { note } from '../failure.js';
import { writeWholeFile } from '../../../whole-file.js';

const PATH = '/etc/crictl.yaml';

type Config = Record<string, string | number | boolean>;

/** The options of crictl's file with what they are when it says nothing. Models pkg/common/file.go Config. */
const DEFAULTS: Readonly<Config> = {
  'runtime-endpoint': '',
  'image-endpoint': '',
  timeout: 0,
  debug: false,
  'pull-image-on-create': false,
  'disable-pull-on-run': false,
  'max-retries': 3,
};

/** Models cmd/crictl/config.go. */
export function config(tool: WaitingContext, options: Options, path = PATH): number {
  const stored = readConfig(tool, path);
  const get = options.value('get');
  if (get !== undefined) {
    if (!Object.hasOwn(DEFAULTS, get)) throw new ToolFailure(`no configuration option named ${get}`);
    tool.out(bytesOf(`${stored[get]}\n`));
    return 0;
  }
  if (options.has('list')) {
    tool.out(bytesOf(formatTable([['KEY', 'VALUE'], ...Object.entries(stored).map(([k, v]) => [k, String(v)])])));
    return 0;
  }
  const settings = options.values('set').flatMap((text) => text.split(','));
  for (const setting of settings) {
    const pair = setting.split('=');
    if (pair.length !== 2) throw new ToolFailure(`incorrectly specified option: ${setting}`);
    setValue(stored, pair[0]!, pair[1]!);
  }
  if (settings.length === 0) {
    const [key, value = ''] = options.operands;
    if (key === undefined) {
      tool.out('NAME:\n   crictl config - Get, set and list crictl configuration options\n');
      return 0;
    }
    note(
      tool,
      'info',
      `No --get, --set or --list provided, setting key ${JSON.stringify(key)} to value ${JSON.stringify(value)}`,
    );
    setValue(stored, key, value);
  }
  write(tool, path, stored);
  return 0;
}

function readConfig(tool: WaitingContext, path: string): Config {
  if (!tool.sys.access(path, 'r')) return { ...DEFAULTS };
  const found: unknown = parse(textOf(tool.input(path)));
  const known = typeof found === 'object' && found !== null ? (found as Config) : {};
  return Object.fromEntries(Object.entries(DEFAULTS).map(([key, value]) => [key, known[key] ?? value]));
}

function setValue(stored: Config, key: string, value: string): void {
  if (!Object.hasOwn(DEFAULTS, key)) throw new ToolFailure(`no configuration option named ${key}`);
  switch (typeof DEFAULTS[key]) {
    case 'number':
      if (!/^[+-]?\d+$/.test(value))
        throw new ToolFailure(
          `parse ${key} value '${value}': strconv.Atoi: parsing ${JSON.stringify(value)}: invalid syntax`,
        );
      stored[key] = Number(value);
      return;
    case 'boolean':
      if (!/^(1|t|true|0|f|false)$/i.test(value))
        throw new ToolFailure(
          `parse ${key} value '${value}': strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
        );
      stored[key] = /^(1|t)/i.test(value);
      return;
    default:
      stored[key] = value;
  }
}

function write({ sys }: WaitingContext, path: string, stored: Config): void {
  const text = Object.entries(stored)
    .map(([key, value]) => `${key}: ${value === '' ? '""' : String(value)}\n`)
    .join('');
  writeWholeFile(sys, path, bytesOf(text), { mode: 0o666 });
}
