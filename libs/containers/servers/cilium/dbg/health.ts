import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { defineTool } from '../../../tools/framework/tool.js';
import { readState } from './state.js';

/** Whether nodes reach each other. Models cilium-health/cmd/status.go. Left out: times, and what is down. */
export const ciliumHealth = defineTool((tool) => {
  const [command = ''] = tool.args.map(textOf);
  if (command !== 'status') {
    tool.err(bytesOf(`Error: \`cilium-health ${command}\` is not simulated here\n`));
    return 1;
  }
  const view = readState(tool, 'status');
  const { clusterName } = view.settings;
  const time = new Date(tool.sys.now).toISOString().slice(0, 19);
  tool.out(bytesOf(`Probe time:   ${time}Z\nNodes:\n`));
  const own = view.nodes.filter(({ name }) => name === view.node);
  for (const one of [...own, ...view.nodes.filter(({ name }) => name !== view.node)])
    tool.out(
      bytesOf(
        `  ${clusterName}/${one.name}${one.name === view.node ? ' (localhost)' : ''}:\n` +
          `    Host connectivity to ${one.address}:\n      ICMP to stack:   OK\n      HTTP to agent:   OK\n` +
          `    Endpoint connectivity to ${one.health}:\n      ICMP to stack:   OK\n      HTTP to agent:   OK\n`,
      ),
    );
  return 0;
});
