import { DEFAULT_VERSION } from '../../../engine/machinery/releases.js';
import { installedRelease } from '../../../engine/node/host/packages/packages.js';
import { own } from '../../../engine/machinery/meta/object.js';
import { defineTool, type Tool, type ToolContext } from '../framework/tool.js';
import { DEFAULT_CONFIG } from './containerd-config.js';
import { diskOf } from './disk.js';

/** A daemon of the node: systemd runs it, and all that it does here is to say its version, and what `others` print. */
const daemon = (text: (tool: ToolContext) => string, others: Readonly<Record<string, string>> = {}): Tool =>
  defineTool((tool) => {
    const other = own(others, tool.args.join(' '));
    if (other !== undefined) {
      tool.out(other);
      return 0;
    }
    if (tool.args.includes('--version') || tool.args.includes('-v')) {
      tool.out(text(tool));
      return 0;
    }
    tool.err(`${tool.name}: is run by systemd here: systemctl start ${tool.name.replace(/^.*\//, '')}\n`);
    return 1;
  });

export const kubelet = daemon(
  ({ sys }) => `Kubernetes ${installedRelease(diskOf(sys), 'kubelet') ?? DEFAULT_VERSION}\n`,
);
export const containerd = daemon(
  () => 'containerd github.com/containerd/containerd/v2 v2.2.1 dea7da592f5d1d2b7755e3a161be07f43fad8f75\n',
  { 'config default': DEFAULT_CONFIG },
);
export const criDockerd = daemon(() => 'cri-dockerd 0.4.0 (HEAD)\n');
export const runsc = daemon(() => 'runsc version release-20260810.0\nspec: 1.2.1\n');
export const runc = daemon(
  () => 'runc version 1.3.4\ncommit: v1.3.4-0-gd6d73eb8\nspec: 1.2.1\ngo: go1.24.10\nlibseccomp: 2.6.0\n',
);
