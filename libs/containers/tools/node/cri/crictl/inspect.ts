import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import type { ContainerView, RuntimeView } from '../../../../../engine/node/host/views/runtime-view.js';
import { CONTAINERD_CONFIG_FILE } from '../../../../../engine/node/host/services/runtime-handlers.js';
import { readSmallFile } from '../../../accounts.js';
import type { Options } from '../../../framework/options.js';
import { mainOfContainer } from '../../../process/node-processes.js';
import { ToolFailure, type ToolContext, type WaitingContext } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { callRuntime } from '../client.js';
import { containerStatus, listedImage, printAsked, printData, sandboxStatus } from './describe.js';
import { findContainer, findImage, findSandbox } from './find.js';
import { chooseContainers, chooseSandboxes } from './lists.js';

const IMAGE_FOLDER = '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs';

/** What is shown of one or several: alone it is no list. */
function show(tool: ToolContext, options: Options, found: readonly object[]): number {
  if (found.length === 0) throw new ToolFailure('ID cannot be empty');
  if (options.value('o') === 'table') throw new ToolFailure('the output format "table" is not simulated here');
  return printAsked(tool, found.length === 1 ? found[0]! : found, options);
}

/** Models containerStatus. */
export function inspect(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const chosen =
    options.operands.length > 0
      ? options.operands.map((id) => findContainer(view, id))
      : isFiltered(options)
        ? chooseContainers(view, options, true)
        : [];
  return show(
    tool,
    options,
    chosen.map((container) => ({
      ...(options.has('q') ? {} : { info: containerInfo(tool, view, container) }),
      status: containerStatus(container),
    })),
  );
}

const isFiltered = (options: Options): boolean => options.all.some(([key]) => !['o', 'q', 'template'].includes(key));

/** What containerd says of a container with more words. */
function containerInfo(tool: ToolContext, view: RuntimeView, container: ContainerView): object {
  const main = mainOfContainer(tool.sys, container.id);
  const pod = view.pods.find(({ id }) => id === container.podId);
  const names = ['pid', 'ipc', 'uts', 'mount', 'network', 'cgroup'];
  return {
    ...(main ? { pid: main.pid } : { pid: 0 }),
    removing: false,
    runtimeOptions: { systemd_cgroup: true },
    runtimeSpec: {
      ociVersion: '1.2.1',
      process: { args: main?.argv ?? [], cwd: '/', user: { uid: main?.user ?? 0, gid: 0 } },
      root: { path: 'rootfs' },
      linux: {
        cgroupsPath: `kubepods-pod${(pod?.uid ?? '').replaceAll('-', '_')}.slice:cri-containerd:${container.id}`,
        namespaces: names.map((type) => ({ type })),
      },
    },
    runtimeType: 'io.containerd.runc.v2',
    sandboxID: container.podId,
    snapshotKey: container.id,
    snapshotter: 'overlayfs',
  };
}

/** Models podSandboxStatus. */
export function inspectp(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const chosen =
    options.operands.length > 0
      ? options.operands.map((id) => findSandbox(view, id))
      : isFiltered(options)
        ? chooseSandboxes(view, options)
        : [];
  return show(
    tool,
    options,
    chosen.map((sandbox) => {
      const pid = mainOfContainer(tool.sys, sandbox.id)?.pid ?? 0;
      const info = { pid, image: 'registry.k8s.io/pause:3.10.1', runtimeType: 'io.containerd.runc.v2' };
      return { ...(options.has('q') ? {} : { info }), status: sandboxStatus(sandbox) };
    }),
  );
}

/** Models imageStatusCommand. */
export function inspecti(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  return show(
    tool,
    options,
    options.operands.map((name) => {
      const found = findImage(view, name);
      if (!found) throw new ToolFailure(`no such image ${JSON.stringify(name)} present`);
      return { status: { ...listedImage(found), pinned: false, spec: null, uid: null, username: '' } };
    }),
  );
}

/** Models cmd/crictl/info.go. */
export function info(tool: ToolContext, options: Options): number {
  const { networkError } = askRuntime(tool.sys);
  const network = networkError
    ? { message: `Network plugin returns error: ${networkError}`, reason: 'NetworkPluginNotReady', status: false }
    : { message: '', reason: '', status: true };
  const status = {
    conditions: [
      { message: '', reason: '', status: true, type: 'RuntimeReady' },
      { ...network, type: 'NetworkReady' },
      { message: '', reason: '', status: true, type: 'ContainerdHasNoDeprecationWarnings' },
    ],
  };
  const cniconfig = { PluginDirs: ['/opt/cni/bin'], PluginConfDir: '/etc/cni/net.d', PluginMaxConfNum: 1 };
  return printAsked(tool, options.has('q') ? { status } : { cniconfig, status }, options);
}

/** Models cmd/crictl/runtime_config.go. */
export function runtimeConfig(tool: ToolContext): number {
  askRuntime(tool.sys);
  const isSystemd = /^[ \t]*SystemdCgroup[ \t]*=[ \t]*true/m.test(readSmallFile(tool.sys, CONTAINERD_CONFIG_FILE));
  tool.out(`cgroup driver:   ${isSystemd ? 'SYSTEMD' : 'CGROUPFS'}\n`);
  return 0;
}

/** Models cmd/crictl/version.go. */
export function version(tool: ToolContext): number {
  const { runtimeVersion } = askRuntime(tool.sys);
  tool.out(`Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  ${runtimeVersion}\nRuntimeApiVersion:  v1\n`);
  return 0;
}

/** What images and the layers of containers take. Models imageFsInfoCommand. */
export function imagefsinfo(tool: WaitingContext, options: Options): number {
  const { images } = askRuntime(tool.sys);
  const { timestamp, stats } = callRuntime(tool, 'Stats', {}) as unknown as {
    readonly timestamp: number;
    readonly stats: readonly { readonly disk: number; readonly inodes: number }[];
  };
  const sum = (of: 'disk' | 'inodes'): number => stats.reduce((total, one) => total + one[of], 0);
  const used = images.reduce((total, { size }) => total + size, 0) + sum('disk');
  const usage = {
    timestamp: String(timestamp),
    fsId: { mountpoint: IMAGE_FOLDER },
    usedBytes: { value: String(used) },
    inodesUsed: { value: String(sum('inodes')) },
  };
  if (options.value('o') !== 'table')
    return printData(
      tool,
      { status: { imageFilesystems: [usage], containerFilesystems: [usage] } },
      options.value('o'),
      options.value('template'),
    );
  for (const label of ['Container', 'Image'])
    tool.out(
      bytesOf(
        `${label} Filesystem \nTimeStamp[0]: ${timestamp}\nDisk[0]: ${used}B\nInodes[0]: ${sum('inodes')}\nMountpoint[0]: ${IMAGE_FOLDER}\n`,
      ),
    );
  return 0;
}
