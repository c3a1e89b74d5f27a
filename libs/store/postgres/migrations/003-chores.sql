-- Whose turn it is to do a chore of housekeeping, and when: one worker at a time does it, no worker before it is due.
create table log.chore (
  name   text primary key,
  due_at timestamptz not null
);

-- True: the chore is due, and the caller's for so long.
create function log.take_chore(p_name text, p_lease interval) returns boolean language plpgsql as $$
begin
  insert into log.chore as c (name, due_at) values (p_name, now() + p_lease)
    on conflict (name) do update set due_at = excluded.due_at where c.due_at <= now();
  return found;
end
$$;

-- With p_expired_before only a cluster that expired before: one that was extended meanwhile stays.
drop function log.delete_cluster(text);
create function log.delete_cluster(p_cluster text, p_expired_before timestamptz) returns boolean language plpgsql as $$
declare
  owner text;
  freed_nodes integer;
begin
  select c.tenant_id into owner from log.cluster c where c.id = p_cluster and c.deleted_at is null;
  if not found then
    return false;
  end if;
  perform log.lock_tenant(owner);
  update log.cluster c set deleted_at = now()
   where c.id = p_cluster and c.deleted_at is null and (p_expired_before is null or c.ends_at < p_expired_before)
  returning c.nodes into freed_nodes;
  if not found then
    return false;
  end if;
  update log.tenant t set clusters = t.clusters - 1, nodes = t.nodes - freed_nodes where t.tenant_id = owner;
  return true;
end
$$;
