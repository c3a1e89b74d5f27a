import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import {
  fileOfProfile,
  LOADED_FOLDER,
  parseAppArmor,
  RUNTIME_PROFILE,
  type LoadedProfile,
} from '../../../engine/node/host/apparmor.js';
import { readSmallFile } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, type ToolContext } from '../framework/tool.js';
import { diskOf, writeFile } from './disk.js';

const MAX_PROFILES = 100;
const OPTIONS = [
  ...[
    'a,add',
    'r,replace',
    'R,remove',
    'C,Complain',
    'N,names',
    'q,quiet',
    'v,verbose',
    'K,skip-cache',
    'W,write-cache',
  ],
  ...['T,skip-read-cache', 'Q,skip-kernel-load', 'k,show-cache', 'I,Include:', 'b,base:', 'j,jobs:'],
];

/** Loads profiles, which containers of this node may then ask for. Models parser/parser_main.c. */
export const apparmorParser = defineTool((tool) => {
  const options = parseOptions(tool, OPTIONS);
  const files = options.operands.length === 0 ? ['-'] : options.operands;
  for (const file of files) {
    const profiles = readProfiles(tool, file);
    for (const profile of profiles) {
      if (options.has('N')) tool.out(`${bytesOf(profile.name)}\n`);
      else if (!options.has('Q')) load(tool, options.has('C') ? complaining(profile) : profile, modeOf(options));
    }
  }
  return 0;
});

type Mode = 'add' | 'replace' | 'remove';

const modeOf = (options: ReturnType<typeof parseOptions>): Mode =>
  options.has('R') ? 'remove' : options.has('r') ? 'replace' : 'add';

function readProfiles(tool: ToolContext, file: Bytes): readonly LoadedProfile[] {
  const parsed = parseAppArmor(textOf(inputOf(tool, file)), file === '-' ? 'stdin' : textOf(file));
  if (typeof parsed === 'string') {
    tool.err(`${bytesOf(parsed)}\n`);
    throw new ToolFailure('', 1);
  }
  return parsed;
}

function inputOf(tool: ToolContext, file: Bytes): Bytes {
  try {
    return tool.input(file);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.err(`File ${file} not found, skipping...\n`);
    throw new ToolFailure('', 1);
  }
}

const complaining = (profile: LoadedProfile): LoadedProfile => {
  const body = profile.text.slice(profile.text.indexOf('\n'));
  return { ...profile, text: `profile "${profile.name}" flags=(complain) {${body}` };
};

function load(tool: ToolContext, { name, text }: LoadedProfile, mode: Mode): void {
  const { sys } = tool;
  const path = fileOfProfile(name);
  const isThere = diskOf(sys).has(path) || name === RUNTIME_PROFILE;
  const cannot = (why: string): ToolFailure => new ToolFailure(`Unable to ${mode} "${bytesOf(name)}".  ${why}`, 254);
  if (sys.user !== 0) throw cannot('Permission denied; attempted to load a profile while confined?');
  if (mode === 'remove') {
    if (!isThere) throw cannot("Profile doesn't exist");
    return sys.unlink(path);
  }
  if (mode === 'add' && isThere) throw cannot('Profile already exists');
  if (!isThere && diskOf(sys).list(LOADED_FOLDER).length >= MAX_PROFILES) throw cannot('Out of memory');
  const parent = LOADED_FOLDER.slice(0, LOADED_FOLDER.lastIndexOf('/'));
  if (!sys.access(parent, '')) sys.makeDirectory(parent, 0o755);
  writeFile(sys, path, bytesOf(text), 0o600);
}

/** Models binutils/aa_status.c. Left out: which processes have them. */
export const aaStatus = defineTool((tool) => {
  const options = parseOptions(tool, ['enabled', 'profiled', 'enforced', 'complaining', 'verbose', 'json']);
  if (options.has('json')) throw new ToolFailure('--json is not simulated');
  const profiles = loadedProfiles(tool);
  const of = (mode: LoadedProfile['mode']): string[] =>
    profiles.filter((one) => one.mode === mode).map((one) => one.name);
  if (options.has('enabled')) return 0;
  const counts = { profiled: profiles.length, enforced: of('enforce').length, complaining: of('complain').length };
  for (const [name, count] of Object.entries(counts)) {
    if (!options.has(name)) continue;
    tool.out(`${count}\n`);
    return 0;
  }
  tool.out(`apparmor module is loaded.\n${profiles.length} profiles are loaded.\n`);
  for (const mode of ['enforce', 'complain'] as const) {
    tool.out(`${of(mode).length} profiles are in ${mode} mode.\n`);
    for (const name of of(mode)) tool.out(`   ${bytesOf(name)}\n`);
  }
  return 0;
});

function loadedProfiles({ sys }: ToolContext): Pick<LoadedProfile, 'name' | 'mode'>[] {
  const own = diskOf(sys)
    .list(LOADED_FOLDER)
    .flatMap((file) => {
      const parsed = parseAppArmor(textOf(readSmallFile(sys, `${LOADED_FOLDER}/${file}`)), file);
      return typeof parsed === 'string' ? [] : parsed.slice(0, 1);
    });
  return [{ name: RUNTIME_PROFILE, mode: 'enforce' as const }, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}
