import { bytesOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { defineTool } from '../../tools/framework/tool.js';
import { copyFile } from './files.js';
import { readFlags } from './flags.js';
import { thick } from './thick.js';
import { thin } from './thin.js';
import { controlLoop } from './whereabouts.js';

const BINARIES = '/usr/src/multus-cni/bin';

/** Puts the plug-in on its node. Models multus-cni's cmd/install_multus. */
const install = defineTool((tool) => {
  const flags = readFlags(tool.args);
  const name = { thick: 'multus-shim', thin: 'multus' }[flags.get('type', '')];
  if (name === undefined) {
    tool.err(bytesOf('--type is missing or --type has invalid value\n'));
    return 1;
  }
  const folder = flags.get('dest-dir', '/host/opt/cni/bin');
  if (!tool.sys.access(folder, '')) {
    const why = `cannot stat ${folder}: stat ${folder}: no such file or directory`;
    tool.err(bytesOf(`failed to copy file ${name}: ${why}\n`));
    return 1;
  }
  copyFile(tool.sys, `${BINARIES}/${name}`, `${folder}/${name}`);
  tool.out(bytesOf(`multus ${name} copy succeeded!\n`));
  copyFile(tool.sys, `${BINARIES}/passthru`, `${folder}/passthru`);
  tool.out(bytesOf(`passthru cni ${BINARIES}/passthru copy succeeded!\n`));
  return 0;
});

/** A plug-in that no container runtime calls. */
const plugin = defineTool((tool) => {
  if (tool.args[0] === '--version' || tool.args[0] === '-v') {
    tool.out(bytesOf('multus-cni version:v4.2.4(clean,released), commit:unknown, date:unknown\n'));
    return 0;
  }
  tool.out(bytesOf('{\n    "code": 4,\n    "msg": "required env variables [CNI_COMMAND] missing"\n}\n'));
  return 1;
});

export const programs: Readonly<Record<string, Program>> = {
  'multus:install': install,
  'multus:plugin': plugin,
  'multus:thick': thick,
  'multus:thin': thin,
  'whereabouts:control-loop': controlLoop,
};
