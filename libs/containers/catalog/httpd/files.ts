import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers } from '../../layers/index.js';
import { debianOrAlpine } from '../bases.js';

export const INDEX = '<html><body><h1>It works!</h1></body></html>\n';
const CONFIGURATION = [
  'ServerRoot "/usr/local/apache2"',
  '',
  'Listen 80',
  '',
  'LoadModule mpm_event_module modules/mod_mpm_event.so',
  'LoadModule authz_core_module modules/mod_authz_core.so',
  'LoadModule mime_module modules/mod_mime.so',
  'LoadModule log_config_module modules/mod_log_config.so',
  'LoadModule dir_module modules/mod_dir.so',
  'LoadModule alias_module modules/mod_alias.so',
  '',
  'User www-data',
  'Group www-data',
  '',
  'ServerAdmin you@example.com',
  '',
  '<Directory />',
  '    AllowOverride none',
  '    Require all denied',
  '</Directory>',
  '',
  'DocumentRoot "/usr/local/apache2/htdocs"',
  '<Directory "/usr/local/apache2/htdocs">',
  '    Options Indexes FollowSymLinks',
  '    AllowOverride None',
  '    Require all granted',
  '</Directory>',
  '',
  '<IfModule dir_module>',
  '    DirectoryIndex index.html',
  '</IfModule>',
  '',
  'ErrorLog /proc/self/fd/2',
  'LogLevel warn',
  'CustomLog /proc/self/fd/1 common',
  '',
];

/** The image httpd: its configuration and document root. */
export const httpdFiles = (tag: string): ImageFiles =>
  joinLayers(debianOrAlpine(tag), {
    '/usr/local/apache2/bin': directory(),
    '/usr/local/apache2/cgi-bin': directory(),
    '/usr/local/apache2/conf/httpd.conf': file(CONFIGURATION.join('\n')),
    '/usr/local/apache2/conf/mime.types': file('text/html\t\t\t\t\thtml htm\ntext/plain\t\t\t\t\ttxt\n'),
    '/usr/local/apache2/htdocs/index.html': file(INDEX),
    '/usr/local/apache2/logs': directory(),
    '/usr/local/apache2/modules': directory(),
  });
