/** Modules of the image, with the directives that they bring. Those of `core` need no LoadModule. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  core: `acceptfilter accessfilename allowoverride define documentroot error errordocument errorlog errorlogformat
    enablemmap enablesendfile fileetag hostnamelookups httpprotocoloptions include includeoptional keepalive
    keepalivetimeout limitrequestbody limitrequestfields limitrequestfieldsize limitrequestline listen listenbacklog
    loadmodule loglevel maxclients maxconnectionsperchild maxkeepaliverequests maxranges maxrequestworkers
    maxsparethreads minsparethreads mutex options pidfile protocols scoreboardfile serveradmin serveralias serverlimit
    servername serverroot serversignature servertokens sethandler forcetype startservers threadlimit threadsperchild
    timeout tracenable undefine undef unsetenv usecanonicalname coredumpdirectory group user
    directory directorymatch files filesmatch location locationmatch virtualhost ifmodule ifdefine ifversion if
    limit limitexcept adddefaultcharset allowencodedslashes acceptpathinfo`,
  alias: 'alias aliasmatch redirect redirectmatch redirectpermanent redirecttemp scriptalias scriptaliasmatch',
  access_compat: 'allow deny order satisfy',
  auth_basic: 'authbasicprovider authbasicauthoritative',
  authn_core: 'authname authtype',
  authn_file: 'authuserfile',
  authz_core: 'require requireall requireany requirenone authmerging authzprovideralias',
  autoindex: 'indexoptions indexignore readmename headername adddescription addicon defaulticon indexstyleSheet',
  deflate: 'deflatecompressionlevel',
  dir: 'directoryindex directoryslash fallbackresource directoryindexredirect',
  env: 'setenv passenv',
  expires: 'expiresactive expiresbytype expiresdefault',
  filter: 'addoutputfilterbytype filterdeclare filterprovider',
  headers: 'header requestheader',
  log_config: 'customlog logformat transferlog',
  mime: 'addtype addencoding addhandler addlanguage addcharset typesconfig removehandler removetype',
  negotiation: 'languagepriority forcelanguagepriority',
  proxy: 'proxypass proxypassreverse proxyrequests proxypreservehost proxyvia proxytimeout proxy',
  remoteip: 'remoteipheader remoteipinternalproxy remoteiptrustedproxy',
  reqtimeout: 'requestreadtimeout',
  setenvif: 'setenvif setenvifnocase browsermatch browsermatchnocase',
  status: 'extendedstatus seerequesttail',
  unixd: 'chrootdir suexec',
};
/** Modules without directives of their own that are read here. */
const BARE = `mpm_event mpm_worker mpm_prefork authz_host authz_user authz_groupfile version proxy_http actions cgi cgid
  asis info socache_shmcb slotmem_shm lbmethod_byrequests vhost_alias allowmethods`.split(/\s+/);

const owners = Object.entries(DIRECTIVES).flatMap(([module, text]) =>
  text.split(/\s+/).map((name): [string, string] => [name.toLowerCase(), module]),
);
const OWNER: ReadonlyMap<string, string> = new Map(owners);

/** The module that a directive belongs to: 'core', 'alias'; undefined for a name that is none. */
export const moduleOf = (directive: string): string | undefined => OWNER.get(directive);

/** Modules that a server can load here, without `mod_`. */
export const isModule = (name: string): boolean => Object.hasOwn(DIRECTIVES, name) || BARE.includes(name);

/** Modules of the real image that are not simulated. */
export const isUnsimulated = (name: string): boolean =>
  `rewrite ssl http2 dav dav_fs lua ldap cache cache_disk proxy_balancer proxy_fcgi proxy_wstunnel proxy_ajp session
   userdir speling substitute ratelimit usertrack unique_id brotli include md authnz_ldap authn_dbd auth_digest`
    .split(/\s+/)
    .includes(name);
