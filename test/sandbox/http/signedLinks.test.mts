/** The temporary links to files (docs/service/documents.md#links). */

import { describe, expect, test } from '@jest/globals';

import { KEYS, startSandbox } from '../../../sandbox/index.mts';
import { Client, newCompleted } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('signed links', () => {
	const link = async (id: string) =>
		(await client.transaction(id)).documents[0].final_document_url as string;
	test('Links, limits: one lives 900 seconds and needs no key; each retrieval gives new ones', async () => {
		const id = await newCompleted(client);
		const first = await link(id);
		expect(await link(id)).not.toBe(first);
		// The sandbox's clock goes on by itself, and a busy machine needs seconds for a request.
		await sandbox.clock.advance(870_000);
		expect((await fetch(first)).status).toBe(200);
		await sandbox.clock.advance(30_000);
		const late = await fetch(first);
		expect([late.status, late.headers.get('content-type')]).toEqual([403, 'application/xml']);
		expect(await late.text()).toMatch(/<Code>AccessDenied<\/Code><Message>Request has expired/);
		expect((await fetch(await link(id))).status).toBe(200);
	});
	test('an API key that is sent to another origin is recorded as a problem, on the own origin it is not', async () => {
		const apart = await startSandbox({ filesOrigin: 'separate' });
		const other = new Client(apart);
		const { documents } = await other.transaction(await newCompleted(other));
		const url = documents[0].final_document_url as string;
		expect(new URL(url).origin).toBe(apart.filesUrl);
		expect(apart.filesUrl).not.toBe(apart.url);
		await fetch(url);
		expect(apart.problems).toEqual([]);
		await fetch(url, { headers: { ApiKey: KEYS.full } });
		expect(apart.problems).toEqual([expect.stringMatching(/ApiKey sent to a signed link/)]);
		await apart.close();
		await fetch(await link(await newCompleted(client)), { headers: { ApiKey: KEYS.full } });
		expect(sandbox.problems).toEqual([]);
	});
	test('Links: those of audit trail, final documents, identification images and notarized documents end after 900 seconds', async () => {
		const id = await newCompleted(client);
		const { audit_trail_url, documents, notarization_record } = await client.transaction(id);
		const {
			signers,
			signer_photo_identification: photos,
			notarized_documents,
		} = await client.ok('GET', `/notarization_records/${notarization_record.id}`);
		const links: string[] = [
			audit_trail_url,
			documents[0].final_document_url,
			signers[0].primary_front,
			photos.primary_back,
			photos.secondary_front,
			notarized_documents[0].document_url,
		];
		const statuses = async () =>
			await Promise.all(links.map(async (link) => (await fetch(link)).status));
		expect(links.map((link) => new URL(link).searchParams.get('lifetime'))).toEqual(
			links.map(() => '900'),
		);
		expect(await statuses()).toEqual(links.map(() => 200));
		await sandbox.clock.advance(901_000);
		expect(await statuses()).toEqual(links.map(() => 403));
	});
});
