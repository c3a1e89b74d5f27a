import { alignTabs, DETAILS } from '../../output/tabwriter.js';

export type Level = 0 | 1 | 2 | 3 | 4;

/** What describe prints, line by line. Cells end with tabs. Models k8s.io/kubectl/pkg/describe PrefixWriter. */
export class Details {
  private text = '';

  constructor(readonly withEvents = true) {}

  /** Adds text below so many indents. */
  write(level: Level, text: string): void {
    this.text += '  '.repeat(level) + text;
  }
  line(level: Level, text: string): void {
    this.write(level, `${text}\n`);
  }
  /** `Name:` and what stands behind it. */
  field(level: Level, name: string, value: string | number | boolean): void {
    this.line(level, `${name}:\t${value}`);
  }
  /** As it was written. */
  raw(): string {
    return this.text;
  }
  /** In columns. */
  aligned(): string {
    return alignTabs(this.text, DETAILS);
  }
}

const MAX_ANNOTATION = 140;
const SKIPPED = ['kubectl.kubernetes.io/last-applied-configuration'];
type Texts = Readonly<Record<string, string>>;

export const sortedKeys = (map: object | undefined): string[] => Object.keys(map ?? {}).sort();

export function describeLabels(details: Details, title: string, labels: Texts | undefined, indent = ''): void {
  const keys = sortedKeys(labels);
  details.write(0, `${indent}${title}:\t`);
  if (keys.length === 0) details.write(0, '<none>\n');
  keys.forEach((key, at) => details.write(0, `${at > 0 ? `${indent}\t` : ''}${key}=${labels![key]}\n`));
}

export function describeAnnotations(details: Details, title: string, annotations: Texts | undefined): void {
  const keys = sortedKeys(annotations).filter((key) => !SKIPPED.includes(key));
  details.write(0, `${title}:\t`);
  if (keys.length === 0) details.write(0, '<none>\n');
  keys.forEach((key, at) => {
    const value = annotations![key]!.replace(/\n$/, '');
    if (at > 0) details.write(0, '\t');
    if (value.length + key.length + 2 <= MAX_ANNOTATION && !value.includes('\n'))
      return details.write(0, `${key}: ${value}\n`);
    details.write(0, `${key}:\n`);
    for (const line of value.split('\n')) details.write(0, `\t  ${shorten(line, MAX_ANNOTATION - 2)}\n`);
  });
}

const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}...` : text);

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** 'Sun, 22 Nov 2026 19:25:25 +0000': Go's RFC1123Z. */
export function longTime(stamp: string | null | undefined): string {
  if (!stamp) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const date = new Date(stamp);
  const text = date.toUTCString();
  return `${DAYS[date.getUTCDay()]}, ${text.slice(5, 25)} +0000`;
}

/** 'ReplicaSet/web-1'; '' for what nothing controls. */
export function controllerOf(
  owners: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[] | undefined,
): string {
  const owner = owners?.find(({ controller }) => controller === true);
  return owner ? `${owner.kind}/${owner.name}` : '';
}
