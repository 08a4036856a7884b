import {
	ENDPOINTS,
	type EndpointName,
} from '../../../../nodes/SignAndClose/transport/service/endpoints.ts';
import {
	findNextPlatform,
	choosePlatform,
	isSecondDecisive,
} from '../../../../nodes/SignAndClose/transport/service/platforms.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

const USE_REAL_ESTATE = 'You must use the RealEstate API for real estate transactions';
const TIER = 'Feature not available in current tier';
const NO_KEY = 'Invalid authentication credentials';

test('a call goes to the platform that it names, unless the endpoint lacks it', () => {
	expect(choosePlatform('getTransaction')).toBe('realEstate');
	expect(choosePlatform('getTransaction', 'business')).toBe('business');
	expect(choosePlatform('listRecords', 'realEstate')).toBe('business');
	expect(choosePlatform('addEnote', 'business')).toBe('realEstate');
	expect(choosePlatform('getWebhook', 'business')).toBe('webhooks');
});

test('the other platform is asked after 401, 403 and 404, if the endpoint has one', () => {
	forEachCase(Object.keys(ENDPOINTS) as EndpointName[], (name) => {
		const asked = choosePlatform(name);
		const other = Object.keys(ENDPOINTS[name].platforms).find((platform) => platform !== asked);
		forEachCase([200, 302, 400, 401, 403, 404, 409, 422, 429, 500], (status) =>
			expect(findNextPlatform(name, asked, status)).toBe(
				[401, 403, 404].includes(status) ? other : undefined,
			),
		);
	});
});

describe('of two refusals', () => {
	const counts = (name: EndpointName, [one, said]: Refusal, [other, saidThere]: Refusal) =>
		isSecondDecisive(
			name,
			{ status: one, headers: {}, body: said },
			{ status: other, headers: {}, body: saidThere },
		);
	type Refusal = [status: number, said: string];
	test.each<[boolean, Refusal, Refusal]>([
		[true, [404, ''], [200, '']],
		// A reason of its own.
		[true, [401, ''], [422, 'Invalid subscription passed']],
		[true, [404, ''], [500, '']],
		// It isn't there, where the key is taken.
		[true, [401, ''], [404, 'Webhook not found']],
		[false, [404, ''], [401, NO_KEY]],
		[false, [404, ''], [403, '']],
		// The platform isn't for the account.
		[false, [403, ''], [401, TIER]],
	])('of a webhook, it is %p that after %j, %j counts', (expected, one, other) => {
		expect(counts('getWebhook', one, other)).toBe(expected);
	});
	test.each<[boolean, Refusal, Refusal]>([
		[true, [401, NO_KEY], [404, 'Transaction Not Found']],
		[false, [404, '{"errors":["Transaction Not Found"]}'], [401, NO_KEY]],
		// The service may lack the path.
		[true, [404, 'no such path'], [401, NO_KEY]],
		[true, [404, 'no such path'], [404, 'Transaction Not Found']],
		[false, [404, 'no such path'], [401, USE_REAL_ESTATE]],
	])('of a transaction, it is %p that after %j, %j counts', (expected, one, other) => {
		expect(counts('getTransaction', one, other)).toBe(expected);
	});
});
