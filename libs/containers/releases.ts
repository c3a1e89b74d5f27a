import { isUnreleased } from './catalog/version-lines.js';

/**
 * About how far products have come, by repositories without their registry. A tag whose number is above is a slip of
 * the pen, and not found. What is not listed has any.
 */
const NEWEST: Readonly<Record<string, string>> = {
  'nginx bitnami/nginx nginx/nginx nginxinc/nginx-unprivileged nginx-slim': '1.29.4',
  'redis bitnami/redis': '8.4.0',
  'mysql bitnami/mysql': '9.5.0',
  'mariadb bitnami/mariadb': '12.1.2',
  'postgres bitnami/postgresql': '18.1',
  'mongo bitnami/mongodb': '8.2.3',
  'rabbitmq bitnami/rabbitmq': '4.2.2',
  zookeeper: '3.9.3',
  'memcached bitnami/memcached': '1.6.40',
  httpd: '2.4.66',
  busybox: '1.37.0',
  alpine: '3.23.2',
  debian: '14',
  ubuntu: '26.10',
  fedora: '45',
  'centos/centos': '10',
  centos: '8.5',
  'rockylinux rockylinux/rockylinux almalinux oraclelinux': '10.1',
  amazonlinux: '2023',
  python: '3.14.2',
  node: '26.0.0',
  golang: '1.26.0',
  ruby: '4.0.0',
  php: '8.5.1',
  'openjdk eclipse-temurin amazoncorretto': '27',
  rust: '1.97.0',
  gradle: '9.3.0',
  maven: '4.0.0',
  'oven/bun': '1.3.5',
  'denoland/deno': '2.6.0',
  'wordpress bitnami/wordpress': '7.0.0',
  'haproxy bitnami/haproxy': '3.3.0',
  caddy: '2.11.0',
  traefik: '3.6.6',
  tomcat: '11.0.15',
  ghost: '6.10.0',
  'cassandra bitnami/cassandra': '5.0.6',
  'elasticsearch kibana logstash elasticsearch/elasticsearch kibana/kibana logstash/logstash beats/filebeat': '9.3.0',
  'hashicorp/vault vault': '2.0.0',
  'registry distribution/distribution': '3.0.0',
  'hashicorp/http-echo': '1.0.0',
  'prom/prometheus prometheus/prometheus': '3.10.0',
  'prom/alertmanager prometheus/alertmanager': '0.31.0',
  'prom/node-exporter prometheus/node-exporter': '1.11.0',
  'grafana/grafana': '13.0.0',
  'grafana/loki grafana/promtail': '3.7.0',
  'kube-state-metrics/kube-state-metrics': '2.19.0',
  'metrics-server/metrics-server': '0.9.0',
  'argoproj/argocd': '3.4.0',
  'ingress-nginx/controller': '1.15.0',
  'jetstack/cert-manager-controller jetstack/cert-manager-webhook jetstack/cert-manager-cainjector': '1.20.0',
  'calico/node calico/cni calico/ctl calico/kube-controllers calico/typha': '3.32.0',
  'cilium/cilium cilium/operator-generic': '1.20.0',
  'coredns/coredns': '1.14.0',
  'istio/proxyv2 istio/pilot istio/istioctl': '1.30.0',
  'metallb/controller metallb/speaker': '0.16.0',
  'curlimages/curl': '8.18.0',
  'bitnami/kubectl rancher/kubectl alpine/kubectl': '1.36.0',
  'e2e-test-images/agnhost': '2.60',
  'e2e-test-images/busybox': '1.37.0',
  pause: '3.10.1',
  echoserver: '1.10',
  'google-samples/hello-app google-samples/containers/gke/hello-app': '2.0',
  'google-samples/node-hello': '1.0',
};

const newest = new Map(
  Object.entries(NEWEST).flatMap(([names, version]) => names.split(' ').map((name) => [name, version] as const)),
);
/** What is known without an owner is so on Docker Hub and in its mirrors, and in Kubernetes' own registry. */
const REGISTRY = /^[^/]+\/(?:(?:docker\/)?library\/)?/;
/** A number of eight digits is a day. */
const VERSION = /^v?(\d{1,4}(?:\.\d{1,4})*)(?![\d.])/;
/** '99' and '1.999' are what exercises take for a version that is not there. */
const NINES = /(?:^|\.)9{2,}(?:\.|$)/;
const LIBRARY = 'docker.io/library/';

/** Whether a repository ('docker.io/library/nginx') may have a tag ('1.27.99'), as far as versions tell. */
export function isReleased(repository: string, tag: string): boolean {
  const version = VERSION.exec(tag)?.[1];
  if (version === undefined) return true;
  const last = newest.get(repository.replace(REGISTRY, '').replace(/^bitnamilegacy\//, 'bitnami/'));
  if ((last !== undefined || repository.startsWith(LIBRARY)) && NINES.test(version)) return false;
  return last === undefined || !isUnreleased(version, last);
}
