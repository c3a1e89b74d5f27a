-- What a tenant uses. Creations lock its row, so that no two of them take the same place of a quota.
-- Locks are taken in one order: a tenant's row, then a cluster's, then its parent's.
create table log.tenant (
  tenant_id text primary key,
  clusters  bigint not null default 0,
  nodes     bigint not null default 0,
  suspended boolean not null default false
) with (fillfactor = 50);

alter table log.cluster
  add column labels          jsonb not null default '{}',
  add column nodes           integer not null default 0,
  add column idempotency_key text,
  add column expires_at      timestamptz,
  add column idle_timeout_ms bigint,
  add column last_used_at    timestamptz not null default now(),
  add column paused_at       timestamptz,
  -- The tenant's, repeated here so that the index of wakes leaves its clusters out.
  add column suspended       boolean not null default false,
  -- When the cluster expires: kept up to date by a trigger.
  add column ends_at         timestamptz not null default 'infinity',
  -- Of its own segments and checkpoints, and of the segments after the last checkpoint.
  add column bytes           bigint not null default 0,
  add column tail_bytes      bigint not null default 0,
  -- When the segment of the oldest checkpoint that allows to drop segments was written.
  add column compact_at      timestamptz not null default 'infinity',
  -- When housekeeping has to look at the log's size: append sets it now and then.
  add column review_at       timestamptz not null default 'infinity';

-- Of a template: when a cluster was last created on it, to the hour. Null for a cluster's own.
alter table log.checkpoint add column used_at timestamptz;

update log.cluster set nodes = (settings ->> 'nodes')::integer where jsonb_typeof(settings -> 'nodes') = 'number';
update log.checkpoint set used_at = now() where owner like 'template:%';
update log.cluster c
   set bytes = coalesce(s.bytes, 0) + coalesce(k.bytes, 0), tail_bytes = coalesce(s.tail_bytes, 0), compact_at = coalesce(k.compact_at, 'infinity')
  from log.cluster d
  left join lateral (
    select owner, sum(octet_length(state)) as bytes, max(revision) as latest,
           min((select at from log.segment where cluster_id = owner and last_revision = revision)) as compact_at
      from log.checkpoint where owner = d.id group by owner
  ) k on true
  left join lateral (
    select sum(octet_length(changes)) as bytes,
           sum(octet_length(changes)) filter (where last_revision > coalesce(k.latest, 0)) as tail_bytes
      from log.segment where cluster_id = d.id
  ) s on true
 where d.id = c.id;
insert into log.tenant (tenant_id, clusters, nodes)
  select tenant_id, count(*), sum(nodes) from log.cluster where deleted_at is null group by tenant_id;

-- Columns that every append changes are in no index and in no index's condition, so that its update stays in its page.
drop index log.cluster_tenant;
create index cluster_tenant on log.cluster (tenant_id, id collate "C");
drop index log.cluster_wake;
create index cluster_wake on log.cluster (next_wake)
  where next_wake < 'infinity' and halted is null and deleted_at is null and paused_at is null and not suspended;
create unique index cluster_idempotency on log.cluster (tenant_id, idempotency_key) where idempotency_key is not null and deleted_at is null;
create index cluster_template on log.cluster (base_template, base_revision) where base_template is not null;
create index cluster_ends on log.cluster (ends_at) where ends_at < 'infinity' and deleted_at is null;
create index cluster_compact on log.cluster (compact_at) where compact_at < 'infinity' and deleted_at is null;
create index cluster_review on log.cluster (review_at) where review_at < 'infinity' and deleted_at is null;
create index cluster_deleted on log.cluster (deleted_at) where deleted_at is not null;
create index checkpoint_used on log.checkpoint (used_at) where used_at is not null;

-- A paused cluster does not become idle; it expires all the same.
create function log.set_end() returns trigger language plpgsql as $$
begin
  new.ends_at := coalesce(
    least(new.expires_at, case when new.paused_at is null then new.last_used_at + new.idle_timeout_ms * interval '1 millisecond' end),
    'infinity');
  return new;
end
$$;
create trigger cluster_end before insert or update of expires_at, idle_timeout_ms, last_used_at, paused_at on log.cluster
  for each row execute function log.set_end();

-- Locks the tenant's row, and makes it at first.
create function log.lock_tenant(p_tenant text) returns log.tenant language plpgsql as $$
declare
  found_tenant log.tenant;
begin
  select * into found_tenant from log.tenant t where t.tenant_id = p_tenant for update;
  if not found then
    insert into log.tenant (tenant_id) values (p_tenant) on conflict do nothing;
    select * into found_tenant from log.tenant t where t.tenant_id = p_tenant for update;
  end if;
  return found_tenant;
end
$$;

-- Where a new cluster's history begins, after a look at its base. Errors name it in their detail:
-- TRB01 no such template, TRB02 no such parent, TRB03 the parent does not have that revision (detail: its oldest).
create function log.lock_base(p_template text, p_parent text, p_revision bigint, p_created timestamptz) returns timestamptz language plpgsql as $$
declare
  template_used timestamptz;
  parent record;
begin
  if p_template is not null then
    select k.used_at into template_used from log.checkpoint k where k.owner = 'template:' || p_template and k.revision = p_revision;
    if found and template_used < now() - interval '1 hour' then
      -- The row's lock: log.drop_templates takes only templates that have not been used for longer.
      update log.checkpoint k set used_at = now() where k.owner = 'template:' || p_template and k.revision = p_revision;
    end if;
    if not found then
      raise exception 'template % has no checkpoint', p_template using errcode = 'TRB01', detail = p_template;
    end if;
  elsif p_parent is not null then
    select * into parent from log.lock_parent(p_parent);
    if parent.head is null then
      raise exception 'cluster % does not exist', p_parent using errcode = 'TRB02', detail = p_parent;
    elsif p_revision not between parent.oldest and parent.head then
      raise exception 'cluster % does not have revision %', p_parent, p_revision using errcode = 'TRB03', detail = parent.oldest;
    end if;
    return parent.epoch;
  end if;
  return p_created;
end
$$;

-- Creates all clusters of the array for one tenant, or none. Gives their rows in order; a cluster that has the
-- idempotency key already stands for the new one. TRQ01: the quota (detail: of what) is used up.
create function log.create_clusters(p_tenant text, p_max_clusters bigint, p_max_nodes bigint, p_clusters jsonb)
returns table (existed boolean, cluster log.cluster) language plpgsql as $$
declare
  used log.tenant := log.lock_tenant(p_tenant);
  item record;
  found_id text;
  history_begin timestamptz;
begin
  for item in
    select * from jsonb_to_recordset(p_clusters) as i(
      id text, base_template text, base_parent text, base_revision bigint, settings jsonb, labels jsonb, nodes integer, created_at timestamptz,
      next_wake timestamptz, expires_at timestamptz, idle_timeout_ms bigint, idempotency_key text)
  loop
    select c.id into found_id from log.cluster c
     where c.tenant_id = p_tenant and c.idempotency_key = item.idempotency_key and c.deleted_at is null;
    if found_id is null then
      used.clusters := used.clusters + 1;
      used.nodes := used.nodes + item.nodes;
      if used.clusters > p_max_clusters then
        raise exception 'the quota of clusters is used up' using errcode = 'TRQ01', detail = 'clusters';
      elsif used.nodes > p_max_nodes then
        raise exception 'the quota of nodes is used up' using errcode = 'TRQ01', detail = 'nodes';
      end if;
      history_begin := log.lock_base(item.base_template, item.base_parent, item.base_revision, item.created_at);
      insert into log.cluster (id, tenant_id, head, base_template, base_parent, base_revision, reads_parent, settings, labels, nodes,
          created_at, epoch, next_wake, expires_at, idle_timeout_ms, last_used_at, idempotency_key, suspended)
        values (item.id, p_tenant, item.base_revision, item.base_template, item.base_parent, item.base_revision, item.base_parent is not null,
          item.settings, item.labels, item.nodes, item.created_at, history_begin, item.next_wake, item.expires_at, item.idle_timeout_ms,
          item.created_at, item.idempotency_key, used.suspended);
    end if;
    return query select found_id is not null, c from log.cluster c where c.id = coalesce(found_id, item.id);
  end loop;
  update log.tenant t set clusters = used.clusters, nodes = used.nodes where t.tenant_id = p_tenant;
end
$$;

-- Marks the cluster; log.purge_step deletes its rows. False: no such cluster.
create function log.delete_cluster(p_cluster text) returns boolean language plpgsql as $$
declare
  owner text;
  freed_nodes integer;
begin
  select c.tenant_id into owner from log.cluster c where c.id = p_cluster and c.deleted_at is null;
  if not found then
    return false;
  end if;
  perform log.lock_tenant(owner);
  update log.cluster c set deleted_at = now() where c.id = p_cluster and c.deleted_at is null returning c.nodes into freed_nodes;
  if not found then
    return false;
  end if;
  update log.tenant t set clusters = t.clusters - 1, nodes = t.nodes - freed_nodes where t.tenant_id = owner;
  return true;
end
$$;

create function log.suspend_tenant(p_tenant text, p_suspended boolean) returns void language plpgsql as $$
begin
  perform log.lock_tenant(p_tenant);
  update log.tenant t set suspended = p_suspended where t.tenant_id = p_tenant;
  update log.cluster c set suspended = p_suspended where c.tenant_id = p_tenant and c.suspended <> p_suspended and c.deleted_at is null;
end
$$;

drop function log.append(text, bigint, bigint, bigint, timestamptz, bytea, timestamptz, timestamptz);
-- Locks the row, compares the head, appends, moves the head: one round trip, one commit.
-- No rows: no such cluster. p_changes null only sets the wake. p_wake_by brings next_wake forward, p_wake_at sets it.
-- A tail that passes 256 KiB, and each 16 MiB of growth, ask housekeeping for a look.
create function log.append(
  p_cluster text, p_expected bigint, p_first bigint, p_last bigint, p_at timestamptz, p_changes bytea,
  p_wake_by timestamptz, p_wake_at timestamptz
) returns table (ok boolean, head bigint, bytes bigint) language plpgsql as $$
#variable_conflict use_column
declare
  added bigint := coalesce(octet_length(p_changes), 0);
begin
  update log.cluster c
     set head = coalesce(p_last, p_expected), next_wake = coalesce(p_wake_at, least(c.next_wake, p_wake_by)),
         bytes = c.bytes + added, tail_bytes = c.tail_bytes + added,
         review_at = case
           when c.tail_bytes < 262144 and c.tail_bytes + added >= 262144 or c.bytes / 16777216 < (c.bytes + added) / 16777216
           then least(c.review_at, p_at)
           else c.review_at
         end
   where c.id = p_cluster and c.head = p_expected and c.deleted_at is null
  returning true, c.head, c.bytes into ok, head, bytes;
  if not found then
    return query select false, c.head, c.bytes from log.cluster c where c.id = p_cluster and c.deleted_at is null;
    return;
  end if;
  if p_changes is not null then
    insert into log.segment values (p_cluster, p_first, p_last, p_at, p_changes);
  end if;
  return next;
end
$$;

drop function log.save_checkpoint(text, bigint, bytea);
drop function log.purge(text);
-- A fork's first checkpoint cuts it loose from its parent. The state is inserted before the cluster's row is locked,
-- so that appends do not wait for it.
create function log.save_checkpoint(p_owner text, p_revision bigint, p_state bytea) returns void language plpgsql as $$
declare
  inserted integer;
begin
  if p_owner like 'template:%' then
    insert into log.checkpoint values (p_owner, p_revision, p_state, now())
      on conflict (owner, revision) do update set used_at = now();
    return;
  end if;
  insert into log.checkpoint values (p_owner, p_revision, p_state) on conflict do nothing;
  get diagnostics inserted = row_count;
  perform 1 from log.cluster c where c.id = p_owner and c.deleted_at is null for update;
  if not found then
    delete from log.checkpoint k where k.owner = p_owner and k.revision = p_revision;
    return;
  end if;
  update log.cluster c
     set reads_parent = false,
         bytes = c.bytes + inserted * octet_length(p_state),
         tail_bytes = coalesce((select sum(octet_length(s.changes)) from log.segment s where s.cluster_id = p_owner and s.last_revision > p_revision), 0),
         compact_at = least(c.compact_at, (select s.at from log.segment s where s.cluster_id = p_owner and s.last_revision = p_revision))
   where c.id = p_owner;
end
$$;

-- Deletes the cluster's first segments up to a revision: so many, or one more than so many bytes.
create function log.drop_segments(p_cluster text, p_last bigint, p_rows integer, p_bytes bigint) returns table (dropped bigint, freed bigint) language sql as $$
  with first_segments as (
    select s.last_revision, octet_length(s.changes) as size
      from log.segment s where s.cluster_id = p_cluster and s.last_revision <= p_last
     order by s.last_revision limit p_rows
  ), step as (
    select f.last_revision, f.size, sum(f.size) over (order by f.last_revision) - f.size as before from first_segments f
  ), deleted as (
    delete from log.segment s using step
     where s.cluster_id = p_cluster and s.last_revision = step.last_revision and step.before < p_bytes
    returning step.size
  )
  select count(*), coalesce(sum(size), 0) from deleted
$$;

drop function log.compact(text, timestamptz);
-- Cuts the log off at the newest checkpoint that is old enough and that no fork needs to be older. One step: what is
-- left keeps the cluster compactable. A cluster that a fork holds is looked at again in an hour.
create function log.compact(p_cluster text, p_before timestamptz, p_rows integer, p_bytes bigint) returns bigint language plpgsql as $$
declare
  forked bigint;
  cut bigint;
  step record;
  freed_states bigint;
  next_at timestamptz;
begin
  perform 1 from log.cluster c where c.id = p_cluster and c.deleted_at is null for update;
  if not found then
    return 0;
  end if;
  select min(f.base_revision) into forked from log.cluster f where f.base_parent = p_cluster and f.reads_parent;
  select max(k.revision) into cut
    from log.checkpoint k join log.segment s on s.cluster_id = k.owner and s.last_revision = k.revision
   where k.owner = p_cluster and s.at < p_before and (forked is null or k.revision <= forked);
  -- First the states: a state without the segments after it would be of no use.
  with deleted as (delete from log.checkpoint k where k.owner = p_cluster and k.revision < cut returning octet_length(k.state) as size)
  select coalesce(sum(size), 0) into freed_states from deleted;
  select * into step from log.drop_segments(p_cluster, cut, p_rows, p_bytes);
  select coalesce(min(s.at), 'infinity') into next_at
    from log.checkpoint k join log.segment s on s.cluster_id = k.owner and s.last_revision = k.revision
   where k.owner = p_cluster;
  if step.dropped = 0 and next_at < p_before then
    next_at := p_before + interval '1 hour';
  end if;
  update log.cluster c set compact_at = next_at, bytes = c.bytes - freed_states - step.freed where c.id = p_cluster;
  return step.dropped;
end
$$;

-- One step of deleting the rows of the cluster that was deleted first; a cluster that forks read is kept. Returns the
-- number of rows; 0: nothing is left to delete now.
create function log.purge_step(p_rows integer, p_bytes bigint) returns bigint language plpgsql as $$
declare
  victim text;
  rows bigint;
  states bigint;
begin
  select c.id into victim from log.cluster c
   where c.deleted_at is not null and not exists (select from log.cluster f where f.base_parent = c.id and f.reads_parent)
   order by c.deleted_at limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  select dropped into rows from log.drop_segments(victim, 9223372036854775807, p_rows, p_bytes);
  if exists (select from log.segment s where s.cluster_id = victim) then
    return rows;
  end if;
  delete from log.checkpoint k
   where k.owner = victim and k.revision in (select o.revision from log.checkpoint o where o.owner = victim order by o.revision limit 16);
  get diagnostics states = row_count;
  rows := rows + states;
  if not exists (select from log.checkpoint k where k.owner = victim) then
    delete from log.cluster c where c.id = victim;
    rows := rows + 1;
  end if;
  return rows;
end
$$;

-- Deletes templates that nothing was created on since then and that no cluster begins on; looks at no more than
-- p_limit. One that a cluster begins on is not looked at again until as much time has passed. p_unused_since is more
-- than an hour ago, so that no creation is under way that counts on a template without having locked it.
create function log.drop_templates(p_unused_since timestamptz, p_limit integer) returns bigint language plpgsql as $$
declare
  template record;
  dropped bigint := 0;
begin
  for template in
    select k.owner, k.revision from log.checkpoint k where k.used_at < p_unused_since
     order by k.used_at limit p_limit for update skip locked
  loop
    if exists (select from log.cluster c where c.base_template = substr(template.owner, 10) and c.base_revision = template.revision) then
      update log.checkpoint k set used_at = now() where k.owner = template.owner and k.revision = template.revision;
    else
      delete from log.checkpoint k where k.owner = template.owner and k.revision = template.revision;
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end
$$;
