import type { Start } from '@terrarium/engine';
import { flag } from '../../programs/task.js';

/** nginx-agent.conf of an NGINX. Models internal/controller/provisioner/templates.go. */
export function agentConf(start: Start, namespace: string, name: string): string {
  const host = `${flag(start, 'service', 'nginx-gateway')}.${start.pod.namespace}`;
  const server = `${host}.${flag(start, 'server-tls-domain', 'svc')}`;
  return [
    ...['command:', '    server:', `        host: ${server}`, '        port: 443', '    auth:'],
    ...['        tokenpath: /var/run/secrets/ngf/serviceaccount/token', '    tls:'],
    ...['        cert: /var/run/secrets/ngf/tls.crt', '        key: /var/run/secrets/ngf/tls.key'],
    ...['        ca: /var/run/secrets/ngf/ca.crt', `        server_name: ${server}`],
    ...['allowed_directories:', '- /etc/nginx', '- /usr/share/nginx', '- /var/run/nginx'],
    ...['features:', '- configuration', '- certificates', '- metrics', 'labels:'],
    ...[`    owner-name: ${namespace}_${name}`, '    owner-type: Deployment', `    product-type: ngf`],
    ...['collector:', '    log:', '       path: "stdout"', '    exporters:', '        prometheus:'],
    ...['            server:', '                host: "0.0.0.0"', '                port: 9113', ''],
  ].join('\n');
}
