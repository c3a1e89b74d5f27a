import type { AuditPolicy } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { hostPath } from '../services/component-fault.js';
import { parseAuditPolicy } from './audit-policy.js';
import { readMounted, type Mounted, type Read } from './config-file.js';

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];
const MEGABYTE = 1 << 20;
/** lumberjack's, of a file that has no size of its own. */
const DEFAULT_MEGABYTES = 100;
/** What a node's disk keeps of it: files beyond go earlier than they would in life. */
const MAX_FILE_BYTES = 4 * MEGABYTE;
const MAX_BACKUPS = 3;

/** What is audited, and where its events go: `path` is the file on the node's disk; undefined: into the container. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly path: string | undefined;
  readonly maxBytes: number;
  readonly maxBackups: number;
  readonly maxAgeDays: number;
}

/** Undefined: nothing is audited. Models apiserver/pkg/server/options/audit.go. */
export function readAuditOptions(flags: ReadonlyMap<string, string>, mounted: Mounted): Read<AuditOptions | undefined> {
  const wrong = findWrongFlag(flags);
  if (wrong !== undefined) return { failure: wrong };
  const policyPath = flags.get('audit-policy-file') ?? '';
  const logPath = flags.get('audit-log-path') ?? '';
  const policy = policyPath === '' ? undefined : readPolicy(policyPath, mounted);
  if (policy?.failure !== undefined) return { failure: `loading audit policy file: ${policy.failure}` };
  if (logPath !== '' && logPath !== '-' && isReadOnly(logPath, mounted))
    return { failure: `ensureLogFile: open ${logPath}: read-only file system` };
  if (policy === undefined || logPath === '') return { value: undefined };
  const number = (flag: string): number => Number(flags.get(flag) ?? '0');
  return {
    value: {
      policy: policy.value,
      path: logPath === '-' ? undefined : hostPath(logPath, mounted.container, mounted.pod),
      maxBytes: Math.min((number('audit-log-maxsize') || DEFAULT_MEGABYTES) * MEGABYTE, MAX_FILE_BYTES),
      maxBackups: Math.min(number('audit-log-maxbackup') || MAX_BACKUPS, MAX_BACKUPS),
      maxAgeDays: number('audit-log-maxage'),
    },
  };
}

function readPolicy(path: string, mounted: Mounted): Read<AuditPolicy> {
  const text = readMounted(path, mounted);
  if (text.failure !== undefined)
    return { failure: `failed to read file path ${JSON.stringify(path)}: ${text.failure}` };
  const policy = parseAuditPolicy(text.value);
  return policy.failure === undefined ? policy : { failure: `${policy.failure}: from file ${path}` };
}

function findWrongFlag(flags: ReadonlyMap<string, string>): string | undefined {
  for (const name of ['audit-log-maxage', 'audit-log-maxbackup', 'audit-log-maxsize'])
    if (Number(flags.get(name) ?? '0') < 0) return `--${name} ${flags.get(name)} can't be a negative number`;
  const mode = flags.get('audit-log-mode');
  if (mode !== undefined && !MODES.includes(mode))
    return `invalid audit log mode ${mode}, allowed modes are "${MODES.join(',')}"`;
  const format = flags.get('audit-log-format');
  if (format !== undefined && !FORMATS.includes(format))
    return `invalid audit log format ${format}, allowed formats are "${FORMATS.join(',')}"`;
  return undefined;
}

function isReadOnly(path: string, { container }: Mounted): boolean {
  const mount = container.volumeMounts
    ?.filter(
      ({ mountPath }) => path === mountPath || path.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`),
    )
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  return mount?.readOnly === true;
}
