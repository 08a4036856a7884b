/** The temporary links to files (docs/service/documents.md#links). */

import { KEYS } from '../../../sandbox/index.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { type Client, download, newCompleted } from '../support/client.mts';
import { client, sandbox, useSandbox, withSandbox } from '../support/useSandbox.mts';

useSandbox();

const linkOf = async (caller: Client, id: string): Promise<string> =>
	(await caller.transaction(id)).documents[0].final_document_url;

test('one lives 900 seconds and needs no key; each retrieval gives new ones', async () => {
	const id = await newCompleted(client);
	const first = await linkOf(client, id);
	expect(await linkOf(client, id)).not.toBe(first);
	// The sandbox's clock goes on by itself, and a busy machine needs seconds for a request.
	await sandbox.clock.advance(870_000);
	expect((await download(first)).status).toBe(200);
	await sandbox.clock.advance(30_000);
	const { status, type, bytes } = await download(first);
	expect([status, type]).toEqual([403, 'application/xml']);
	expect(String(bytes)).toMatch(/<Code>AccessDenied<\/Code><Message>Request has expired/);
});

test('those of audit trail, documents, identification images and notarized documents end, too', async () => {
	const { audit_trail_url, documents, notarization_record } = await client.transaction(
		await newCompleted(client),
	);
	const record = await client.ok('GET', `/notarization_records/${notarization_record.id}`);
	const links: string[] = [
		audit_trail_url,
		documents[0].final_document_url,
		record.signers[0].primary_front,
		record.signer_photo_identification.secondary_front,
		record.notarized_documents[0].document_url,
	];
	const statuses = async () =>
		await Promise.all(links.map(async (link) => (await download(link)).status));
	forEachCase(links, (link) => expect(new URL(link).searchParams.get('lifetime')).toBe('900'));
	expect(await statuses()).toEqual(links.map(() => 200));
	await sandbox.clock.advance(901_000);
	expect(await statuses()).toEqual(links.map(() => 403));
});

test('an API key that is sent to another origin is recorded as a problem, on the own origin it is not', async () => {
	await withSandbox({ filesOrigin: 'separate' }, async (other, apart) => {
		const url = await linkOf(other, await newCompleted(other));
		expect(new URL(url).origin).toBe(apart.filesUrl);
		expect(apart.filesUrl).not.toBe(apart.url);
		await download(url);
		expect(apart.problems).toEqual([]);
		await download(url, { ApiKey: KEYS.full });
		expect(apart.problems).toEqual([expect.stringMatching(/ApiKey sent to a signed link/)]);
	});
	await download(await linkOf(client, await newCompleted(client)), { ApiKey: KEYS.full });
	expect(sandbox.problems).toEqual([]);
});
