import { defineTool } from '../../framework/tool.js';
import { flagsOf, shownName } from './links.js';

const OBJECTS = ['link', 'fdb', 'mdb', 'vlan', 'vni', 'monitor'];
const USAGE =
  'Usage: bridge [ OPTIONS ] OBJECT { COMMAND | help }\n' +
  '       bridge [ -force ] -batch filename\n' +
  'where  OBJECT := { fdb | link | mdb | mst | monitor | vlan | vni }\n';

/** iproute2's bridge: the ports of bridges, and where the frames of tunnels go. */
export const bridge = defineTool((tool) => {
  const [object, verb = 'show', ...rest] = tool.args.filter((word) => !word.startsWith('-'));
  if (object === undefined || object === 'help') {
    tool.err(USAGE);
    return 255;
  }
  const found = OBJECTS.find((name) => name.startsWith(object));
  if (found === undefined) {
    tool.err(`Object "${object}" is unknown, try "bridge help".\n`);
    return 255;
  }
  if (!'show'.startsWith(verb) && verb !== 'list' && verb !== 'lst') {
    tool.err('RTNETLINK answers: Operation not permitted\n');
    return 2;
  }
  const device = rest.filter((word) => word !== 'dev')[0];
  if (found === 'link') return showPorts(tool);
  if (found !== 'fdb') return 0;
  for (const { mac, remote, device: own } of tool.sys.neighbours())
    if (remote !== undefined && (device === undefined || device === own))
      tool.out(`${mac} ${device === undefined ? `dev ${own} ` : ''}dst ${remote} self permanent\n`);
  return 0;
});

function showPorts(tool: Parameters<Parameters<typeof defineTool>[0]>[0]): number {
  for (const one of tool.sys.interfaces())
    if (one.master !== undefined)
      tool.out(
        `${one.index}: ${shownName(one)}: <${flagsOf(one)}> mtu ${one.mtu} master ${one.master} ` +
          'state forwarding priority 32 cost 2 \n',
      );
  return 0;
}
