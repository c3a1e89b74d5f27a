import { utc } from '../../../programs/server.js';
import { formatLine } from '../../../servers/httpd/lines.js';
import { html, json, routes, text } from './answers.js';
import type { Row } from './row.js';

/** Applications with a page. */
export const pages: readonly Row[] = [
  [
    'jenkins/jenkins jenkins',
    'debian-curl',
    '/usr/bin/tini -- /usr/local/bin/jenkins.sh',
    [8080, 50000],
    {
      ports: [8080, 50000],
      serve: routes({
        '/login': html('<!DOCTYPE html><html><head><title>Sign in [Jenkins]</title></head></html>'),
        '': html(
          "<html><head><meta http-equiv='refresh' content='1;url=/login?from=%2F'/></head><body>Authentication required</body></html>",
          403,
        ),
      }),
      readyAfterMs: 15_000,
      log: ({ at }) => [
        `${utc(at).rfc}.000+0000 [id=1]\tINFO\thudson.lifecycle.Lifecycle#onReady: Jenkins is fully up and running`,
      ],
    },
  ],
  [
    'tomcat bitnami/tomcat',
    'debian',
    'catalina.sh run',
    [8080],
    {
      ports: [8080],
      serve: () =>
        html(
          '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head><body><h1>HTTP Status 404 – Not Found</h1></body></html>',
          404,
        ),
      readyAfterMs: 1_500,
      log: ({ at }) => [
        `${utc(at).rfc} INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [412] milliseconds`,
      ],
    },
  ],
  [
    'bitnami/apache',
    'debian',
    '/opt/bitnami/scripts/apache/entrypoint.sh /opt/bitnami/scripts/apache/run.sh',
    [8080, 8443],
    {
      ports: [8080],
      serve: () => html('<html><body><h1>It works!</h1></body></html>\n'),
      readyAfterMs: 1_000,
      log: ({ at }) => [
        formatLine(
          at,
          'mpm_prefork:notice',
          'AH00163: Apache/2.4.65 (Unix) OpenSSL/3.0.17 configured -- resuming normal operations',
        ),
      ],
    },
  ],
  [
    'ghost',
    'debian',
    'docker-entrypoint.sh node current/index.js',
    [2368],
    {
      ports: [2368],
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Ghost</title></head><body></body></html>\n'),
      readyAfterMs: 4_000,
    },
  ],
  [
    'adminer phpmyadmin phpmyadmin/phpmyadmin dpage/pgadmin4 mongo-express',
    'debian',
    'entrypoint.sh',
    [8080],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Login</title></head><body></body></html>\n'),
      readyAfterMs: 1_500,
    },
  ],
  [
    'drupal joomla nextcloud mediawiki gitea/gitea gitlab/gitlab-ce sonarqube sonatype/nexus3 quay.io/keycloak/keycloak',
    'debian',
    'docker-entrypoint.sh',
    [80],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Welcome</title></head><body></body></html>\n'),
      readyAfterMs: 5_000,
    },
  ],
  [
    'kubernetesui/dashboard kubernetesui/metrics-scraper kubernetesui/dashboard-web kubernetesui/dashboard-api',
    'scratch',
    '/dashboard',
    [8443, 9090],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Kubernetes Dashboard</title></head></html>\n'),
      log: ({ at }) => [
        `${utc(at).slashed} Starting overwatch`,
        `${utc(at).slashed} Serving securely on HTTPS port: 8443`,
      ],
    },
  ],
  [
    'ghcr.io/headlamp-k8s/headlamp portainer/portainer-ce',
    'alpine',
    '/headlamp/headlamp-server',
    [4466],
    { serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Headlamp</title></head></html>\n') },
  ],
  [
    'ghcr.io/open-webui/open-webui ollama/ollama',
    'debian',
    '/bin/ollama serve',
    [11434],
    { serve: routes({ '/': text('Ollama is running'), '/api/tags': json({ models: [] }) }) },
  ],
  [
    'mcr.microsoft.com/azuredocs/azure-vote-front',
    'debian',
    '/entrypoint.sh',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<!DOCTYPE html>\n<html>\n<head>\n    <title>Azure Voting App</title>\n</head>\n<body>\n  <h1>Azure Voting App</h1>\n  <button name="vote" value="Cats">Cats</button>\n  <button name="vote" value="Dogs">Dogs</button>\n</body>\n</html>\n',
        ),
    },
  ],
  [
    'mcr.microsoft.com/azuredocs/aks-helloworld mcr.microsoft.com/azuredocs/aci-helloworld mcr.microsoft.com/dotnet/samples',
    'debian',
    '/entrypoint.sh',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<html>\n<head>\n  <title>Welcome to Azure Kubernetes Service (AKS)</title>\n</head>\n<body>\n  <h1>Welcome to Azure Kubernetes Service (AKS)</h1>\n</body>\n</html>\n',
        ),
    },
  ],
];
