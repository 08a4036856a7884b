import {
	readIdInLink,
	LINK_PARTS,
} from '../../../../nodes/SignAndClose/transport/service/linkIds.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** The IDs in links that people paste. */

test.each([
	['transactionId', 'https://api.example.com/v2/transactions/ot_1', 'ot_1'],
	['transactionId', 'http://127.0.0.1:5000/transactions/ot_1/documents/do_1', 'ot_1'],
	[
		'documentId',
		'https://api.example.com/v2/transactions/ot_1/documents/do_1?encoding=uri',
		'do_1',
	],
	['recordId', 'HTTPS://api.example.com/notarization_records/me_1#video', 'me_1'],
	['webhookId', 'https://api.example.com/webhooks/wh%20%2F%20%C3%BC', 'wh / ü'],
	['webhookId', 'https://api.example.com/webhooks/50%', '50%'],
	['webhookId', 'https://api.example.com/webhooks/%E0%A4%A', '%E0%A4%A'],
])('the %s in %s is %s', (name, link, id) => {
	expect(readIdInLink(name, link)).toBe(id);
});

test.each([
	['another ID', 'documentId', 'https://api.example.com/transactions/ot_1'],
	['no ID after its name', 'transactionId', 'https://api.example.com/transactions/'],
	['a query after its name', 'transactionId', 'https://api.example.com/transactions/?id=ot_1'],
	['a path without a host', 'transactionId', '/transactions/ot_1'],
	['another protocol', 'transactionId', 'ftp://api.example.com/transactions/ot_1'],
	['a link within a text', 'transactionId', 'see https://api.example.com/transactions/ot_1'],
	[
		'a link, but IDs of this name are in none',
		'signerId',
		'https://api.example.com/undefined/si_1',
	],
])('%s gives none', (_what, name, text) => {
	expect(readIdInLink(name, text)).toBeUndefined();
});

test('each name has a part of its own', () => {
	forEachCase(Object.entries(LINK_PARTS), ([name, part]) =>
		expect(readIdInLink(name, `https://api.example.com/${part}/x1`)).toBe('x1'),
	);
});
