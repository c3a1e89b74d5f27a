import { describe, expect, test } from '@jest/globals';
import { HttpRemote } from '../../../engine/node/cri/servers/http-remote.js';
import { NO_NETWORK, type Network } from '../../../engine/kernel/network.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { PodHttpAnswer } from '../../../engine/machinery/requests/http.js';
import { runLine } from '../testing/run-line.js';
import { programs } from './index.js';

const record = (name: string, data: string) => ({ name: `${name}.`, type: 'A', ttl: 30, data });

/** A web server at 10.96.0.8:80, which redirects /old and knows no /none; 10.96.0.9 drops packets. */
const network: Network = {
  ...NO_NETWORK,
  connect(_from, address, port, _protocol, now) {
    if (address === '10.96.0.9') return { error: 'ETIMEDOUT', after: 130_000 };
    if (address !== '10.96.0.8' || port !== 80) return { error: 'ECONNREFUSED', after: 0 };
    const remote = new HttpRemote({
      port: 80,
      serve({ method, path, headers, body }): PodHttpAnswer {
        if (path === '/old') return { status: 302, headers: { location: '/' } };
        if (path === '/none') return { status: 404, body: 'nothing\n' };
        return {
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body: `${method} ${headers['host']} ${body}\n`,
        };
      },
    });
    expect(now).toBeGreaterThan(0);
    return { remote };
  },
  resolve(name) {
    const isKnown = name === 'web.default.svc.cluster.local';
    if (!name.endsWith('cluster.local')) return { code: 'SERVFAIL', records: [], delay: 0 };
    return isKnown
      ? { code: 'NOERROR', records: [record(name, '10.96.0.8')], delay: 0 }
      : { code: 'NXDOMAIN', records: [], delay: 0 };
  },
  interfaces: () => [
    ...NO_NETWORK.interfaces(),
    { name: 'eth0', index: 2, addresses: ['10.244.1.7/24'], mac: '0a:58:0a:f4:01:07', mtu: 1_500, isUp: true },
  ],
  routes: () => [
    { destination: 'default', gateway: '10.244.1.1', device: 'eth0' },
    { destination: '10.244.1.0/24', device: 'eth0', source: '10.244.1.7' },
  ],
};
const FILES = {
  '/etc/resolv.conf':
    'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
  '/etc/hosts': '127.0.0.1\tlocalhost\n',
};
const pick = (...prefixes: string[]): Record<string, Program> =>
  Object.fromEntries(
    prefixes.flatMap((prefix) =>
      Object.entries(programs).flatMap(([name, program]): [string, Program][] =>
        name.startsWith(`${prefix}:`) ? [[name.slice(prefix.length + 1), program]] : [],
      ),
    ),
  );
const GNU = pick('curl', 'wget', 'netcat', 'iputils', 'bind', 'libc', 'iproute2', 'net-tools');
const BUSYBOX = pick('busybox');
const TOOLS = { gnu: GNU, busybox: BUSYBOX };
const run = (tools: Record<string, Program>, line: string) => runLine(tools, line, FILES, {}, { network });

describe('curl', () => {
  test.each([
    ['curl -s web', 'GET web \n'],
    ['curl -s -X PUT -d a=1 web/x', 'PUT web a=1\n'],
    ['echo body | curl -s --data-binary @- web', 'POST web body\n\n'],
    ['curl -s -o /dev/null -w "%{http_code}\\n" web/none', '404\n'],
    ['curl -sL web/old', 'GET web \n'],
    ['curl -s -H "Host: a.example" web', 'GET a.example \n'],
    ['curl -sG -d q=1 web', 'GET web \n'],
    ['curl -s --resolve b.example:80:10.96.0.8 http://b.example/', 'GET b.example \n'],
    ['curl -s web.default:80', 'GET web.default \n'],
  ])('%s', (line, stdout) => expect(run(GNU, line)).toEqual({ stdout, stderr: '', code: 0 }));

  test('-i and -I show the head of the answer', () => {
    expect(run(GNU, 'curl -sI web').stdout).toBe(
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n',
    );
    expect(run(GNU, 'curl -si web').stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nGET web \n$/);
  });

  test('-v tells of both sides', () => {
    expect(run(GNU, 'curl -sv web').stderr).toBe(
      '* Host web:80 was resolved.\n* IPv6: (none)\n* IPv4: 10.96.0.8\n*   Trying 10.96.0.8:80...\n' +
        '* Connected to web (10.96.0.8) port 80\n> GET / HTTP/1.1\n> Host: web\n> User-Agent: curl/8.14.1\n> Accept: */*\n> \n' +
        '* Request completely sent off\n< HTTP/1.1 200 OK\n< Content-Type: text/plain\n< Content-Length: 9\n< \n' +
        '{ [9 bytes data]\n* Connection #0 to host web left intact\n',
    );
  });

  test.each([
    ['curl -sS nosuch', 'curl: (6) Could not resolve host: nosuch\n', 6],
    ['curl -sS web:81', 'curl: (7) Failed to connect to web port 81 after 0 ms: Could not connect to server\n', 7],
    ['curl -sS -m 2 10.96.0.9', 'curl: (28) Connection timed out after 2000 milliseconds\n', 28],
    ['curl -sSf web/none', 'curl: (22) The requested URL returned error: 404\n', 22],
    ['curl -s web:81', '', 7],
    ['curl', "curl: (2) no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information\n", 2],
    [
      'curl --foo',
      "curl: option --foo: is unknown\ncurl: try 'curl --help' or 'curl --manual' for more information\n",
      2,
    ],
    ['curl -s ftp://web', '', 1],
  ])('%s fails', (line, stderr, code) => expect(run(GNU, line)).toEqual({ stdout: '', stderr, code }));
});

describe('wget', () => {
  test.each([
    ['gnu', 'wget -qO- web', 'GET web \n'],
    ['busybox', 'wget -qO- web', 'GET web \n'],
    ['busybox', 'wget -q -O - --post-data=x web', 'POST web x\n'],
  ])('in %s: %s', (flavour, line, stdout) =>
    expect(run(TOOLS[flavour as 'gnu'], line)).toEqual({ stdout, stderr: '', code: 0 }),
  );

  test.each([
    ['busybox', 'wget nosuch', "wget: bad address 'nosuch'\n", 1],
    ['busybox', 'wget -q web:81', "wget: can't connect to remote host (10.96.0.8): Connection refused\n", 1],
    ['busybox', 'wget -q web/none', 'wget: server returned error: HTTP/1.1 404 Not Found\n', 1],
    ['busybox', 'wget -q -T 2 10.96.0.9', 'wget: download timed out\n', 1],
    ['busybox', 'wget --spider web', 'Connecting to web (10.96.0.8:80)\nremote file exists\n', 0],
    ['gnu', 'wget -q web/none', '', 8],
    [
      'gnu',
      'wget nosuch',
      "--2026-11-22 00:00:00--  http://nosuch/\nResolving nosuch (nosuch)... failed: Name or service not known.\nwget: unable to resolve host address 'nosuch'\n",
      4,
    ],
    [
      'gnu',
      'wget web:81',
      '--2026-11-22 00:00:00--  http://web:81/\nResolving web (web)... 10.96.0.8\nConnecting to web (web)|10.96.0.8|:81... failed: Connection refused.\n',
      4,
    ],
  ])('in %s: %s', (flavour, line, stderr, code) =>
    expect(run(TOOLS[flavour as 'gnu'], line)).toEqual({ stdout: '', stderr, code }),
  );
});

describe('addresses and sockets', () => {
  test.each([
    [
      'gnu',
      'ip -4 -br addr',
      'lo               UNKNOWN        127.0.0.1/8 \neth0@if12        UP             10.244.1.7/24 \n',
    ],
    [
      'gnu',
      'ip route',
      'default via 10.244.1.1 dev eth0 \n10.244.1.0/24 dev eth0 proto kernel scope link src 10.244.1.7 \n',
    ],
    [
      'busybox',
      'route -n',
      'Kernel IP routing table\nDestination     Gateway         Genmask         Flags Metric Ref    Use Iface\n' +
        '0.0.0.0         10.244.1.1      0.0.0.0         UG    0      0        0 eth0\n' +
        '10.244.1.0      0.0.0.0         255.255.255.0   U     0      0        0 eth0\n',
    ],
    [
      'gnu',
      'nc -l 8080 & sleep 1; netstat -tln',
      'Active Internet connections (only servers)\nProto Recv-Q Send-Q Local Address           Foreign Address         State       \n' +
        'tcp        0      0 0.0.0.0:8080            0.0.0.0:*               LISTEN      \n',
    ],
    ['gnu', 'sleep 60 | nc -l 8080 & sleep 1; echo x | nc -w 1 127.0.0.1 8080; echo $?', 'x\n0\n'],
    ['busybox', 'nc -lk -p 8080 -e cat & sleep 1; for i in 1 2; do echo $i | nc -w 1 127.0.0.1 8080; done', '1\n2\n'],
    ['gnu', 'echo hi | nc -l 8080 & sleep 1; nc 127.0.0.1 8080 </dev/null', 'hi\n'],
  ])('in %s: %s', (flavour, line, stdout) => expect(run(TOOLS[flavour as 'gnu'], line).stdout).toBe(stdout));

  test.each([
    ['gnu', 'nc -zv web 80', 'Connection to web (10.96.0.8) 80 port [tcp/http] succeeded!\n', 0],
    ['gnu', 'nc -zv web 81', 'nc: connect to web (10.96.0.8) port 81 (tcp) failed: Connection refused\n', 1],
    ['busybox', 'nc -zv web 80', 'web (10.96.0.8:80) open\n', 0],
    ['busybox', 'nc -v -w 2 10.96.0.9 80', 'nc: 10.96.0.9 (10.96.0.9:80): Operation timed out\n', 1],
    ['gnu', 'ip foo', 'Object "foo" is unknown, try "ip help".\n', 1],
    ['gnu', 'ip link set eth0 down', 'RTNETLINK answers: Operation not permitted\n', 2],
  ])('in %s: %s', (flavour, line, stderr, code) =>
    expect(run(TOOLS[flavour as 'gnu'], line)).toEqual({ stdout: '', stderr, code }),
  );

  test('ping counts', () => {
    expect(run(GNU, 'ping -c 2 10.96.0.8').stdout).toMatch(
      /^PING 10\.96\.0\.8 \(10\.96\.0\.8\) 56\(84\) bytes of data\.\n64 bytes from 10\.96\.0\.8: icmp_seq=1 ttl=63 time=0\.\d{3} ms\n[^]*\n--- 10\.96\.0\.8 ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss, time 1000ms\nrtt /,
    );
    expect(run(BUSYBOX, 'ping -c 1 -W 1 10.96.0.9')).toEqual({
      stdout:
        'PING 10.96.0.9 (10.96.0.9): 56 data bytes\n\n--- 10.96.0.9 ping statistics ---\n1 packets transmitted, 0 packets received, 100% packet loss\n',
      stderr: '',
      code: 1,
    });
  });
});
