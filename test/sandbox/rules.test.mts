/**
 * Every rule of interface.md §3 to §8, in the order of the document, with the tests that hold the
 * sandbox to it. This fails when the test of a rule is gone, and when a test of these sections
 * belongs to no rule. What interface.md calls "not shown" is no rule.
 */

import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

const RULES: Record<string, string[]> = {
	'§3 Status completed and completed_with_rejections, detailed_status and signing_status complete, creation mode draft':
		['interface §3: the named states are completed, completed_with_rejections, complete and draft'],
	'§3.1 Real estate transactions are created as drafts by default': [
		'interface §3.1: a closing is created as a draft, whatever `draft` says',
	],
	'§3.1 The closing team adds designations, arranges the signing time and then sends the transaction to the signer':
		[
			'interface §3.1: the closing team takes an order, prepares it, and then sends it to the signer',
			'interface §3.1: the closing team can send a draft, which is how a documented-only service gets one to the signer',
		],
	'§3.2 A business draft stays a draft until completed by the client; documents can be added afterwards':
		['interface §3.2: a business draft stays a draft and takes documents afterwards'],
	'§3.3 Completed or completed with rejections: documents are ready and the corresponding event is sent':
		['interface §3.3: in the state %s the documents are ready and %s is sent'],
	'§3.4 Two retakes of a failed selfie, on the third failure a trusted referee; §7; §8': [
		'interface §3.4, §7, §8: a signer may retake a failed selfie twice, the third failure goes to a trusted referee',
		'interface §3.4: a signer who fails twice can still pass',
	],
	'§3.5 A bookmarked PDF is split in about 5 minutes; its documents can be set only afterwards; §8':
		[
			'interface §3.5, §8: a bookmarked PDF is split in about five minutes; its documents can be set only afterwards',
		],
	'§4 Bodies and responses are JSON': ['interface §4: bodies and responses are JSON'],
	'§4 All endpoints need authentication': ['interface §4: every operation needs authentication'],
	'§4 Verify Property Address: method, path and query': [
		'interface §4: line1, city and state are enough on the documented path',
		'interface §4, Verify Property Address: the query is transaction_type and street_address with line1, city and state',
	],
	'§4 Create Transaction (real estate): the body': [
		'interface §4, Create Transaction (real estate): takes every documented parameter',
		'interface §4: refuses %s',
	],
	'§4 Create Transaction (real estate): created as a draft by default': [
		'interface §4, Create Transaction (real estate): a draft by default',
	],
	'§4 Create Transaction (business): path with and without a trailing slash': [
		'interface §4, Create Transaction (business): at /transactions, with and without a slash at the end',
	],
	'§4 Create Transaction (business): one signer email and one document are the minimum': [
		'interface §4: one signer with an email and one document are the minimum',
	],
	'§4 Create Transaction (business): with draft true the documents can be left out': [
		'interface §4: a draft can leave the documents out',
	],
	'§4 Create Transaction (business): designations need an external_id and a draft': [
		'interface §4, Create Transaction (business): designations need an external_id of the signer and a draft',
	],
	'§4 Create Transaction (business): designations cannot be supplied through this endpoint': [
		'interface §4: designations can not be supplied here',
	],
	'§4 Add Document: resource is a URL or base64': [
		'interface §4, Add Document: the resource is the URL of a PDF, or the PDF in base64',
		'interface §4: from a URL, with the authorization header given for it',
	],
	'§4 Add Document: requirement, flags, designations': [
		'interface §4, Add Document: takes each documented requirement, the flags and designations',
	],
	'§4 Only PDF files are supported; §8': ['interface §4, §8: only PDF files'],
	'§4 pdf_bookmarked: HTTP 200, upload in progress, new ids by Retrieve Transaction, flags by Update Document':
		[
			'interface §4, Add Document: a bookmarked PDF answers 200 and that the upload is in progress; the new ids come with Retrieve Transaction and take flags by Update Document',
		],
	"§4.1 A designation carries its signer's external_id, a notary designation the literal notary": [
		'interface §4.1: a signer without external_id can not have designations, the notary always can',
	],
	'§4.2 The trigger is optional and chooses an identifier, the dependent designation has the same':
		[
			'interface §4.2: the trigger is optional and carries the identifier that the dependent designation names',
		],
	'§4.2 When the signer selects the trigger, the dependent designation must be completed': [
		'interface §4.2: a dependent designation is filled when its trigger was selected',
	],
	'§4 Update Document accepts every attribute that Add Document accepts': [
		'interface §4, Update Document: accepts every attribute that Add Document accepts',
		'interface §4, Update Document: what is sent is what the document has afterwards',
	],
	'§4 Add eNote: an XML file as URL or base64': [
		'interface §4, Add eNote: the XML file as a URL or as base64',
	],
	'§4 Add eNote: XML seeds and SMARTDoc 1.02; §8 (eNote: XML)': [
		'interface §4, §8: an eNote is XML: a SMART document of version 1.02 or a seed',
	],
	'§4 Add eNote: real estate, lender only': [
		'interface §4, Add eNote: real estate and lenders only',
	],
	'§4 Retrieve Transaction: links to the finished documents and the audit trail': [
		'interface §4, Retrieve Transaction: links to each finished document and to the audit trail',
	],
	'§4 Retrieve Transaction: notarization_record when a notarization took place': [
		'interface §4, Retrieve Transaction: notarization_record when a notarization took place, not otherwise',
	],
	'§4 Retrieve Document returns the binary content of one document': [
		'interface §4, Retrieve Document: the binary content of one document',
	],
	'§4 Get Document returns one document by the id in the transaction': [
		'interface §4, Get Document: one document, by the id in the transaction',
	],
	'§4 Get Document: encoding=base64': [
		'interface §4: encoding=base64 answers the content, before and after completion',
	],
	'§4 Retrieve Meeting Record answers the notarization record': [
		'interface §4, Retrieve Meeting Record: every field of the notarization record',
	],
	'§4 Download meeting video: shape of video_url, returns the recording': [
		'interface §4, Download meeting video: the video_url has the documented shape and returns the recording',
	],
	'§4 Create Webhook: path and body': [
		'interface §4, Create Webhook: POST /v2/webhooks/ with url and subscriptions',
	],
	'§4 List Webhooks returns the identifiers': [
		'interface §4, List Webhooks: the identifiers of the webhooks that are set up',
	],
	'§4 Get Webhook Events returns event records with their delivery result': [
		'interface §4, Get Webhook Events: for one webhook an array of event records with their delivery result',
	],
	'§5.1 The key goes in the header ApiKey': [
		'interface §5.1: the key goes in the header ApiKey; none and a wrong one get 401',
	],
	'§5.1 Content-Type application/json': [
		'interface §5.1: a body goes with Content-Type application/json',
	],
	'§5.2 Retrieval and archiving use a full access key': [
		'interface §5.2: a full access key retrieves and archives',
		'interface §5.2, gaps §2: a client-only key may only create',
	],
	'§5.3 A key belongs to an organization': [
		'interface §5.3: a key of the parent sees the transactions of its children, not the other way round',
	],
	'§5.3 The key that made a webhook decides whose transactions it hears of: parent and children, or the child only':
		[
			"interface §5.3: a parent's webhook hears of its children, a child's of its own only; the parent sees both",
		],
	'§5.4 Signed links are temporary; 900 seconds; §8': [
		'interface §5.4, §8: a link lives 900 seconds and needs no key; each retrieval gives new ones',
	],
	'§5.4 Audit trail, final documents, identification images, notarized documents': [
		'interface §5.4: links of audit trail, final documents, identification images and notarized documents end after 900 seconds',
	],
	'§6 Events are HTTP requests to the url of a subscription, for the events it names': [
		'interface §6: an HTTP request goes to the url of the subscription, for the events that it names and no others',
	],
	'§6 The payload carries only the event name and the transaction id; completed and completed_with_rejections: documents are ready':
		[
			'interface §6: the payload carries the event name and the transaction id only; further detail needs Retrieve Transaction',
			'interface §6: the payload is the event and the transaction id; gaps §8: with the date',
			'interface §6: a documented-only service has no event without a transaction id',
		],
	'§6 Events when a signer opens the email and when the signer completes signing': [
		'interface §6: the signer opens the email and completes signing',
	],
	'§6 What failed after retries is found with Get Webhook Events, by name, code and time; the id is in the payload':
		[
			'interface §6: what failed after retries is found with Get Webhook Events, by event name, response code and delivered time',
		],
	'§7 Errors are indicated by HTTP status codes': [
		'interface §7: errors are indicated by HTTP status codes',
	],
	'§7 A failed delivery is recorded with code, body and error text': [
		'interface §7, §2: each attempt is recorded with code, body, error and the payload as a string',
	],
};

/** Titles of all tests in this folder and below that cite interface.md first. */
const here = new URL('./', import.meta.url);
const titles = readdirSync(here, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.test.mts') && name !== 'rules.test.mts')
	.flatMap((name) =>
		[
			...readFileSync(new URL(name, here), 'utf8').matchAll(
				/(?:\btest|\]\))\(\s*(['"`])(interface §.*?)\1,/g,
			),
		].map(([, , title]) => title),
	);

const sections = (text: string) => [...text.matchAll(/§(\d)/g)].map(([, number]) => number);

describe('rules of interface.md §3 to §8', () => {
	test.each(Object.entries(RULES))('%s', (rule, tests) => {
		expect(tests.length).toBeGreaterThan(0);
		for (const title of tests) {
			expect(titles).toContain(title);
			expect(sections(title)).toContain(sections(rule)[0]);
		}
		// A section that the rule cites is in the name of its first test, so that it is found from
		// either side.
		expect(sections(tests[0])).toEqual(expect.arrayContaining(sections(rule)));
	});
	test('each title stands once, and each test of these sections stands behind one rule', () => {
		expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
		const listed = Object.values(RULES).flat();
		expect(listed.filter((title, index) => listed.indexOf(title) !== index)).toEqual([]);
		expect(titles.filter((title) => /^interface §[3-8]/.test(title)).sort()).toEqual(
			[...listed].sort(),
		);
	});
	test('every section from 3 to 8 has rules', () => {
		expect([...new Set(Object.keys(RULES).flatMap(sections))].sort()).toEqual([
			'3',
			'4',
			'5',
			'6',
			'7',
			'8',
		]);
	});
});
