/**
 * Names of Docker Hub's official images (docs.docker.com/docker-hub/image-library/trusted-content), the deprecated ones included: an
 * image without an owner that is not among them does not exist, so that a slip of the pen fails to be pulled.
 */
export const OFFICIAL: ReadonlySet<string> = new Set([
  'adminer', 'aerospike', 'almalinux', 'alpine', 'amazoncorretto', 'amazonlinux', 'api-firewall', 'arangodb', 'archlinux', 'backdrop', 'bash', 'bonita',
  'buildpack-deps', 'busybox', 'caddy', 'cassandra', 'centos', 'chronograf', 'cirros', 'clearlinux', 'clefos', 'clickhouse', 'clojure', 'composer', 'consul',
  'convertigo', 'couchbase', 'couchdb', 'crate', 'dart', 'debian', 'docker', 'drupal', 'eclipse-mosquitto', 'eclipse-temurin', 'eggdrop', 'elasticsearch',
  'elixir', 'emqx', 'erlang', 'express-gateway', 'fedora', 'flink', 'fluentd', 'friendica', 'gazebo', 'gcc', 'geonetwork', 'ghost', 'golang', 'gradle', 'groovy',
  'haproxy', 'haskell', 'haxe', 'hello-world', 'hitch', 'hola-mundo', 'httpd', 'hylang', 'ibm-semeru-runtimes', 'ibmjava', 'influxdb', 'irssi', 'java', 'jenkins',
  'jetty', 'jobber', 'joomla', 'jruby', 'julia', 'kapacitor', 'kibana', 'kong', 'krakend', 'lightstreamer', 'liquibase', 'logstash', 'mageia', 'mariadb', 'matomo',
  'maven', 'mediawiki', 'memcached', 'mongo', 'mongo-express', 'monica', 'mono', 'mysql', 'nats', 'nats-streaming', 'neo4j', 'neurodebian', 'nextcloud', 'nginx',
  'node', 'notary', 'odoo', 'open-liberty', 'openjdk', 'opensuse', 'oraclelinux', 'orientdb', 'owncloud', 'percona', 'perl', 'phabricator', 'photon', 'php',
  'php-zendserver', 'phpmyadmin', 'piwik', 'plone', 'postfixadmin', 'postgres', 'pypy', 'python', 'r-base', 'rabbitmq', 'rails', 'rakudo-star', 'redis', 'redmine',
  'registry', 'rethinkdb', 'rocket.chat', 'rockylinux', 'ros', 'ruby', 'rust', 'sapmachine', 'satosa', 'scratch', 'sentry', 'silverpeas', 'sl', 'solr', 'sonarqube',
  'sourcemage', 'spark', 'spiped', 'storm', 'swarm', 'swift', 'swipl', 'teamspeak', 'telegraf', 'thrift', 'tomcat', 'tomee', 'traefik', 'ubuntu', 'ubuntu-debootstrap',
  'unit', 'valkey', 'varnish', 'vault', 'websphere-liberty', 'wordpress', 'xwiki', 'yourls', 'znc', 'zookeeper',
]);
