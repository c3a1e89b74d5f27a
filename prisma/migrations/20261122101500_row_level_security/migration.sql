-- The second wall between tenants, see docs/decisions/0014-row-level-security.md. What a tenant's request asks runs as this role,
-- which sees the rows of the tenant that the transaction names, and none when it names none.
do $$
begin
  if not exists (select from pg_roles where rolname = 'terrarium_tenant') then
    create role terrarium_tenant nologin;
  end if;
  -- Since PostgreSQL 16 to have made a role does not mean that one may become it.
  if not pg_has_role(current_user, 'terrarium_tenant', case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
    execute format('grant terrarium_tenant to %I', current_user);
  end if;
exception
  -- Another database's migration has made it at the same time.
  when duplicate_object or unique_violation then
    null;
  when insufficient_privilege then
    raise exception 'The user % may not make the role terrarium_tenant. Ask an administrator to run: create role terrarium_tenant nologin; grant terrarium_tenant to %;',
      current_user, quote_ident(current_user);
end
$$;

GRANT USAGE ON SCHEMA "platform" TO terrarium_tenant;
GRANT SELECT ON "platform"."tenant" TO terrarium_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON "platform"."user", "platform"."api_key", "platform"."access_token" TO terrarium_tenant;

ALTER TABLE "platform"."tenant" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "platform"."user" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "platform"."api_key" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "platform"."access_token" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "own" ON "platform"."tenant" TO terrarium_tenant USING ("id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
CREATE POLICY "own" ON "platform"."user" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
CREATE POLICY "own" ON "platform"."api_key" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
CREATE POLICY "own" ON "platform"."access_token" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
