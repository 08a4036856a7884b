import { explain } from '../../../nodes/SignAndClose/messages/explanations.ts';
import {
	ServiceFailure,
	type FailureReason,
} from '../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** What a person reads when no answer came, or when nothing was sent. */

const FAULTS: Array<[faults: string, message: RegExp, remedy: RegExp]> = [
	['ERR_INVALID_CHAR ERR_UNESCAPED_CHARACTERS', /can't be sent/, /'API Key'/],
	['ECONNREFUSED', /^Nothing answers at api.example.com:81/, /'Base URL'/],
	['ENOTFOUND EAI_AGAIN', /address .* not found/, /'Base URL'/],
	[
		'ERR_SSL_WRONG_VERSION_NUMBER CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT EPROTO',
		/certificate/,
		/'Base URL'/,
	],
	['ETIMEDOUT ECONNABORTED ESTALLED', /didn't answer in time/, /few minutes/],
	['ANSWER_CUT', /answer broke off/, /few minutes/],
	['ANSWER_SLOW', /too slowly/, /few minutes/],
	['ANSWER_TOO_BIG', /too big/, /'Base URL'/],
	['ECONNRESET EPIPE ERR_STREAM_PREMATURE_CLOSE', /connection .* was cut/, /few minutes/],
	['EHOSTUNREACH ENETDOWN SOMETHING_NEW', /can't reach the service/, /network/],
];
const each = FAULTS.flatMap(([faults, ...texts]) =>
	faults.split(' ').map((fault): [string, RegExp, RegExp] => [fault, ...texts]),
);
const explained = (fault: string, attempts = 1, isUnknown = false, linkHost?: string) =>
	explain(
		new ServiceFailure(
			{ code: 'unreachable', fault, attempts, host: 'api.example.com:81', linkHost },
			{ unknownOutcome: isUnknown },
		),
	);
const notSent = (facts: Omit<FailureReason & { code: 'notSent' }, 'code'>) =>
	explain(new ServiceFailure({ code: 'notSent', ...facts }));

test.each(each)(
	'%s says what happened and what to do, and has the code in its details',
	(fault, message, remedy) => {
		const shown = explained(fault);
		expect(shown.message).toMatch(message);
		expect(shown.remedy).toMatch(remedy);
		expect(shown.details).toBe(fault);
		expect(shown.remedy).not.toContain(fault);
		const unknown = explained(fault, 3, true);
		expect(unknown.message).toMatch(message);
		expect(unknown.message).toMatch(/, so the outcome is unknown$/);
		expect(unknown.message.includes('after the request was sent')).toBe(
			!fault.startsWith('ANSWER'),
		);
		expect(unknown.remedy).toMatch(/^It may have been done: look/);
		// The service chooses the host of a link, so nobody is sent to the credential.
		const link = explained(fault, 1, false, 'files.example.com');
		expect(link.message).toMatch(/files\.example\.com/);
		expect(link.remedy).not.toMatch(/credential/);
	},
);

test('it says how often it was tried, from two times on', () => {
	expect(explained('ECONNREFUSED', 1).details).toBe('ECONNREFUSED');
	expect(explained('ECONNREFUSED', 2).details).toBe('ECONNREFUSED. Tried 2 times');
});

test.each([
	['socket hang up', /was cut/],
	['timeout of 5 ms exceeded', /in time/],
	['EHOSTDOWN secret.example.com', /can't reach/],
	['MY_ANSWER_CUT_7', /can't reach/],
	[`E${'X'.repeat(40)}`, /can't reach/],
])('the fault %j, which is no plain code, is not repeated', (fault, message) => {
	const shown = explained(fault);
	expect(shown.message).toMatch(message);
	expect(`${shown.message} ${shown.remedy}`).not.toContain(fault);
});

describe('a request that n8n stopped', () => {
	test('because of its host names the host and the setting', () => {
		forEachCase([undefined, '10.0.0.1'], (linkHost) => {
			const blocked = notSent({ blockedHost: '10.0.0.1', linkHost });
			expect(blocked.message).toMatch(/10\.0\.0\.1, so nothing was sent$/);
			expect(blocked.remedy).toMatch(/N8N_SSRF_ALLOWED_HOSTNAMES/);
			expect(blocked.remedy.includes("'Base URL'")).toBe(linkHost === undefined);
		});
	});
	test.each([
		[undefined, '', /what n8n names/],
		['See 1.2 of the manual. Then wait.', ': See 1.2 of the manual. Then wait', /what n8n names/],
		['No credentials', ': No credentials', /credential/],
	])('for the reason %j repeats it', (said, reason, remedy) => {
		const stopped = notSent({ details: said });
		expect(stopped.message).toBe(`n8n stopped the request, so nothing was sent${reason}`);
		expect(stopped.remedy).toMatch(remedy);
	});
});
