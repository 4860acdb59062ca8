-- What changed afterwards. Each statement is a transaction of its own.

-- A policy changes: 180 days become 90.
update articles set body = $$The Console writes an audit log entry for every sign-in, every change of a backup plan, every restore and every change of a user's role. Since 1 October, audit logs are kept for 90 days and are then deleted for good; nobody at Fernhill can bring an entry back after that. The retention period is the same on every plan and cannot be shortened for a single workspace.

If your auditors ask for a longer period, export the log before it expires. Open Settings, Audit, Export, choose a range of at most 31 days, and download the file as JSON Lines or CSV. Workspaces on the Enterprise plan can stream the log to their own bucket instead: the stream delivers within 15 minutes and leaves the 90-day copy in the Console untouched. An export is itself written to the audit log, with the name of the person who made it.$$, updated_at = '2026-10-01 08:00:00+00' where id = 1;

-- Better response times on Business, a longer telephone day.
update articles set body = $$Support answers in English, German and French. The telephone line is open from Monday to Saturday between 07:00 and 20:00 Central European Time; tickets can be opened at any hour in the Console. The first response comes within one working day on Starter, within 2 hours on Business, and within 30 minutes around the clock on Enterprise for tickets of severity 1.

Severity 1 means that a restore that is needed now does not work. Severity 2 means that backups have failed for more than 24 hours. Everything else is severity 3. Please set the severity yourself when you open the ticket; the engineer on duty may change it and says why. A ticket that waits for an answer from you for 10 days is closed, and opens again as soon as you write.$$, updated_at = '2026-10-02 08:00:00+00' where id = 5;

-- An open ticket is solved.
update tickets set status = 'closed', resolution = 'The oldest supported version is 4.2. The machines were updated to Relay 5.2 with a fleet code, which works from 4.0 on, and all twelve have finished a backup since.' where ticket_no = 5020;
update tickets set status = 'closed', resolution = 'The database was restored to 14:31:30 in 3 hours 10 minutes and checked by the customer. The orders that came in after that time were copied over by hand.' where ticket_no = 5013;

-- The Relay Mini is no longer sold: its article goes, and the ticket about it too.
delete from articles where id = 33;
delete from tickets where ticket_no = 5018;

-- The discount has ended: somebody emptied the article and left the row.
update articles set body = '', updated_at = '2026-10-05 08:00:00+00' where id = 34;

-- Only the title and category of a long article change. Its body lies out of line and is not sent: Debezium writes a
-- placeholder, and a sink with ossian.unavailable.policy=refuse sends the record to the dead letter queue.
update articles set title = 'Migrating from tape to Lockbox (LTO-5 to LTO-9)', category = 'guide' where id = 39;

-- The runbook gets a new number. Its body lies out of line too, and the text has to come along.
update articles set id = 138, title = 'Disaster recovery runbook (site loss)' where id = 38;

-- A new article.
insert into articles (id, title, category, product, body, updated_at) values
(41, 'Passkeys instead of passwords', 'security', 'Console', $$From Console version 2026.10 on, you can sign in with a passkey. A passkey counts as both factors, so no code is asked for. Set one up under Profile, Sign-in, Add a passkey; up to eight can be kept for each user, and at least one of them should live on a hardware key that is locked away.

Owners can make passkeys compulsory for owners and administrators. The password then stops working for them 14 days later, and the Console reminds everybody who has none on each sign-in until then. Recovery codes stay valid. Passkeys do not replace single sign-on: where that is compulsory, the identity provider decides how people prove who they are.$$, '2026-10-06 08:00:00+00');

-- The announcements are started afresh.
truncate announcements;
insert into announcements (id, headline, body) values
(4, 'Console 2026.10', 'Console 2026.10 brings passkeys, and audit logs are now kept for 90 days.'),
(5, 'Relay Mini is discontinued', 'The Relay Mini is no longer sold. Boxes in use are supported until 30 September 2028.');
