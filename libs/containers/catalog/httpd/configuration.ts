/** conf/httpd.conf as the image has it, without most of its comments. */
const LOADED = [
  ...['mpm_event', 'authn_file', 'authn_core', 'authz_host', 'authz_groupfile', 'authz_user', 'authz_core'],
  ...['access_compat', 'auth_basic', 'reqtimeout', 'filter', 'mime', 'log_config', 'env', 'headers', 'setenvif'],
  ...['version', 'unixd', 'status', 'autoindex', 'dir', 'alias'],
];
const NOT_LOADED = [
  ...['remoteip', 'proxy', 'proxy_http', 'proxy_fcgi', 'proxy_balancer', 'slotmem_shm', 'ssl', 'http2', 'deflate'],
  ...['expires', 'negotiation', 'info', 'dav', 'vhost_alias', 'actions', 'speling', 'userdir', 'rewrite'],
];
const load = (name: string): string => `LoadModule ${name}_module modules/mod_${name}.so`;

export const MODULES: readonly string[] = [...LOADED, ...NOT_LOADED];

export const CONFIGURATION = `#
# This is the main Apache HTTP server configuration file.  It contains the
# configuration directives that give the server its instructions.
# See <URL:http://httpd.apache.org/docs/2.4/> for detailed information.
#
ServerRoot "/usr/local/apache2"

#
# Listen: Allows you to bind Apache to specific IP addresses and/or
# ports, instead of the default.
#
#Listen 12.34.56.78:80
Listen 80

#
# Dynamic Shared Object (DSO) Support
#
${LOADED.map(load).join('\n')}
${NOT_LOADED.map((name) => `#${load(name)}`).join('\n')}

<IfModule unixd_module>
User www-data
Group www-data
</IfModule>

# 'Main' server configuration
ServerAdmin you@example.com

#ServerName www.example.com:80

<Directory />
    AllowOverride none
    Require all denied
</Directory>

DocumentRoot "/usr/local/apache2/htdocs"
<Directory "/usr/local/apache2/htdocs">
    Options Indexes FollowSymLinks
    AllowOverride None
    Require all granted
</Directory>

<IfModule dir_module>
    DirectoryIndex index.html
</IfModule>

<Files ".ht*">
    Require all denied
</Files>

ErrorLog /proc/self/fd/2
LogLevel warn

<IfModule log_config_module>
    LogFormat "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
    LogFormat "%h %l %u %t \\"%r\\" %>s %b" common
    CustomLog /proc/self/fd/1 common
</IfModule>

<IfModule alias_module>
    ScriptAlias /cgi-bin/ "/usr/local/apache2/cgi-bin/"
</IfModule>

<Directory "/usr/local/apache2/cgi-bin">
    AllowOverride None
    Options None
    Require all granted
</Directory>

<IfModule headers_module>
    RequestHeader unset Proxy early
</IfModule>

<IfModule mime_module>
    TypesConfig conf/mime.types
    AddType application/x-compress .Z
    AddType application/x-gzip .gz .tgz
</IfModule>

<IfModule proxy_html_module>
Include conf/extra/proxy-html.conf
</IfModule>

<IfModule ssl_module>
SSLRandomSeed startup builtin
SSLRandomSeed connect builtin
</IfModule>
`;
