import { expect, test } from '@jest/globals';

import { buildPath } from '../../../../../nodes/SignAndClose/service/paths.ts';
import { readSettings } from '../../../../../nodes/SignAndClose/service/transport/credential/credential.ts';

test('the prefixes of a custom layout are read with or without slashes', () => {
	const custom = readSettings({
		baseUrl: 'https://a.example/api/',
		apiKey: 'key',
		pathLayout: 'custom',
		businessPrefix: 'b/',
		realEstatePrefix: '/r',
		webhooksPrefix: '',
	});
	expect(custom.baseUrl).toBe('https://a.example/api');
	expect(buildPath('listWebhooks', 'webhooks', custom.prefixes)).toBe('/webhooks');
	expect(buildPath('createTransaction', 'business', custom.prefixes)).toBe('/b/transactions');
});
