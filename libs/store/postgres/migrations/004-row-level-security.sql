-- The second wall between tenants, see docs/decisions/0014-row-level-security.md. Queries that choose rows by tenant run
-- as this role, which sees the rows of the tenant that the transaction names, and none when it names none.
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

grant usage on schema log to terrarium_tenant;
-- Not the segments and checkpoints: they are read by the id of a cluster, whose tenant the caller has compared.
grant select on log.cluster, log.tenant to terrarium_tenant;
alter table log.cluster enable row level security;
alter table log.tenant enable row level security;
create policy own on log.cluster for select to terrarium_tenant using (tenant_id = current_setting('terrarium.tenant', true));
create policy own on log.tenant for select to terrarium_tenant using (tenant_id = current_setting('terrarium.tenant', true));
