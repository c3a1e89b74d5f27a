import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { type Keys, type MadeExtension, parseExtension } from './extension-values.js';
import { CommandFailure } from '../options.js';

/** Sections of a configuration file, '' the one above the first heading, with their lines in order. */
export type Config = ReadonlyMap<string, readonly (readonly [name: string, value: Bytes])[]>;

const MAX_LINES = 5_000;
const DEFAULT = '';
const SHORT: Readonly<Record<string, string>> = {
  ...{ countryName: 'C', stateOrProvinceName: 'ST', localityName: 'L', organizationName: 'O' },
  ...{ organizationalUnitName: 'OU', commonName: 'CN' },
};

/** Models crypto/conf/conf_def.c. Left out: includes, variables of the environment. Throws CommandFailure. */
export function readConfig(text: Bytes): Config {
  const config = new Map<string, (readonly [string, Bytes])[]>([[DEFAULT, []]]);
  let section = DEFAULT;
  const lines = text.replaceAll('\\\n', '').split('\n');
  for (const [i, raw] of lines.slice(0, MAX_LINES).entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const heading = /^\[([^\]]*)\]$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading.trim() === 'default' ? DEFAULT : heading.trim();
      if (!config.has(section)) config.set(section, []);
      continue;
    }
    const at = line.indexOf('=');
    if (at < 0)
      throw new CommandFailure(
        `error:07000065:configuration file routines:def_load_bio:missing equal sign:line ${i + 1}`,
      );
    const value = line
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$|^'(.*)'$/, '$1$2');
    const known = (name: string): Bytes => valueOf(config, section, name) ?? valueOf(config, DEFAULT, name) ?? '';
    const expanded = value.replace(/\$\{(\w+)\}|\$(\w+)/g, (_all, a: string, b: string) => known(a ?? b));
    config.get(section)!.push([line.slice(0, at).trim(), expanded]);
  }
  return config;
}

/** The last value of a name in a section. */
export const valueOf = (config: Config, section: string, name: string): Bytes | undefined =>
  config.get(section)?.findLast(([other]) => other === name)?.[1];

/** The name that a configuration without prompt gives, as -subj has it; undefined: it would ask for it. */
export function configuredSubject(config: Config): Bytes | undefined {
  const section = valueOf(config, 'req', 'distinguished_name');
  if (valueOf(config, 'req', 'prompt') !== 'no' || section === undefined) return undefined;
  const parts = (config.get(section) ?? []).map(([name, value]) => {
    const type = name.replace(/^\d+\./, '');
    return `/${SHORT[type] ?? type}=${value.replaceAll('/', '\\/')}`;
  });
  return parts.length === 0 ? undefined : parts.join('');
}

/** The extensions of a section. Throws CommandFailure in OpenSSL's words. */
export function configuredExtensions(config: Config, section: string, keys: Keys): MadeExtension[] {
  const fail = (more: string): CommandFailure =>
    new CommandFailure(`Error checking extension section ${section || 'default'}${more}`);
  const lines = config.get(section);
  if (lines === undefined) throw fail('');
  return lines.map(([name, value]) => {
    const made = parseExtension(name, inSection(config, value), keys);
    if (made === undefined) throw fail(`\nerror in extension:name=${name}, value=${value}`);
    return made;
  });
}

/** `@alt_names`: the lines of that section, each `DNS.1 = a`. */
function inSection(config: Config, value: Bytes): Bytes {
  if (!value.startsWith('@')) return value;
  return (config.get(value.slice(1)) ?? []).map(([name, text]) => `${name.replace(/\.\d+$/, '')}:${text}`).join(',');
}
