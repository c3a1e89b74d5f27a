-- States of clusters under a name, which no compaction touches. Like segments they are read by the id of a cluster, whose
-- tenant the caller has compared: the role terrarium_tenant has no right to them.
create table log.snapshot (
  cluster_id text not null,
  name       text not null,
  revision   bigint not null,
  -- Virtual time.
  at         timestamptz not null,
  created_at timestamptz not null,
  state      bytea not null,
  primary key (cluster_id, name)
);
alter table log.snapshot alter column state set storage external;

-- Of its snapshots: they count for the tenant, and not for the cluster's own space.
alter table log.cluster add column snapshot_bytes bigint not null default 0;

-- Forks that still read their parent's rows, the oldest first.
create index cluster_attached on log.cluster (created_at) where reads_parent and deleted_at is null;

-- TRS01: the name is taken. TRS02 (detail: of what): the cluster has too many already. TRB02: there is no such cluster.
-- The state is inserted before the cluster's row is locked, so that appends do not wait for it.
create function log.save_snapshot(
  p_cluster text, p_name text, p_revision bigint, p_at timestamptz, p_created timestamptz, p_state bytea,
  p_max_count bigint, p_max_bytes bigint
) returns void language plpgsql as $$
declare
  owner record;
begin
  insert into log.snapshot values (p_cluster, p_name, p_revision, p_at, p_created, p_state) on conflict do nothing;
  if not found then
    raise exception 'snapshot % exists', p_name using errcode = 'TRS01', detail = p_name;
  end if;
  select c.snapshot_bytes + octet_length(p_state) as bytes into owner
    from log.cluster c where c.id = p_cluster and c.deleted_at is null for update;
  if not found then
    raise exception 'cluster % does not exist', p_cluster using errcode = 'TRB02', detail = p_cluster;
  elsif (select count(*) from log.snapshot s where s.cluster_id = p_cluster) > p_max_count then
    raise exception 'too many snapshots' using errcode = 'TRS02', detail = 'count';
  elsif owner.bytes > p_max_bytes then
    raise exception 'too many snapshots' using errcode = 'TRS02', detail = 'bytes';
  end if;
  update log.cluster c set snapshot_bytes = owner.bytes where c.id = p_cluster;
end
$$;

create function log.delete_snapshot(p_cluster text, p_name text) returns boolean language plpgsql as $$
declare
  freed bigint;
begin
  perform 1 from log.cluster c where c.id = p_cluster and c.deleted_at is null for update;
  if not found then
    return false;
  end if;
  delete from log.snapshot s where s.cluster_id = p_cluster and s.name = p_name returning octet_length(s.state) into freed;
  if not found then
    return false;
  end if;
  update log.cluster c set snapshot_bytes = c.snapshot_bytes - freed where c.id = p_cluster;
  return true;
end
$$;

-- Replaces the whole state at the next revision: a segment that says so, and the checkpoint of that revision.
-- No rows: no such cluster. The time of p_at stands for "at once".
create function log.reset_cluster(
  p_cluster text, p_expected bigint, p_at timestamptz, p_marker bytea, p_state bytea, p_settings jsonb
) returns table (ok boolean, head bigint, bytes bigint) language plpgsql as $$
#variable_conflict use_column
begin
  update log.cluster c
     set head = p_expected + 1, next_wake = p_at, halted = null, reads_parent = false,
         settings = jsonb_strip_nulls(c.settings || p_settings),
         bytes = c.bytes + octet_length(p_marker) + octet_length(p_state), tail_bytes = 0,
         compact_at = least(c.compact_at, p_at)
   where c.id = p_cluster and c.head = p_expected and c.deleted_at is null
  returning true, c.head, c.bytes into ok, head, bytes;
  if not found then
    return query select false, c.head, c.bytes from log.cluster c where c.id = p_cluster and c.deleted_at is null;
    return;
  end if;
  insert into log.segment values (p_cluster, p_expected + 1, p_expected + 1, p_at, p_marker);
  insert into log.checkpoint values (p_cluster, p_expected + 1, p_state);
  return next;
end
$$;

-- As before, with the snapshots of the cluster.
create or replace function log.purge_step(p_rows integer, p_bytes bigint) returns bigint language plpgsql as $$
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
  delete from log.snapshot s
   where s.cluster_id = victim and s.name in (select o.name from log.snapshot o where o.cluster_id = victim order by o.name limit 16);
  get diagnostics states = row_count;
  rows := rows + states;
  if not exists (select from log.checkpoint k where k.owner = victim) and not exists (select from log.snapshot s where s.cluster_id = victim) then
    delete from log.cluster c where c.id = victim;
    rows := rows + 1;
  end if;
  return rows;
end
$$;
