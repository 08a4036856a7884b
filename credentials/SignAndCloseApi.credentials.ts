import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { defineChoice, defineText } from '../nodes/SignAndClose/form/fields';
import { toCredentialError } from '../nodes/SignAndClose/messages/nodeError';
import { listStatuses, type StatusMeaning } from '../nodes/SignAndClose/transport/http/statuses';
import { LAYOUTS } from '../nodes/SignAndClose/transport/service/paths';
import { authenticateRequest } from '../nodes/SignAndClose/transport/service/credential';

/*
 * The credential: base URL, API key, and the names and paths in which services differ. Every
 * request for the service passes through its `authenticate`.
 */

/** Builds a prefix of paths that are the service's own. */
const definePrefix = (name: string, key: string, value: string, description?: string) => ({
	...defineText(`${name} Prefix`, key, '/v1', description),
	default: value,
	displayOptions: { show: { pathLayout: ['custom'] } },
});

const SWITCH = 'technicalSettings';

/**
 * Builds a setting that most people never need. It's there with the switch, and without it as long
 * as it has a value of its own, because n8n drops the values of fields that aren't shown. One field
 * can't have both conditions, so it's two fields of the same name, of which at most one is shown. The name with a slash is read from
 * what is stored, so the field doesn't wait for itself.
 */
function defineTechnical(field: INodeProperties): INodeProperties[] {
	const hasValue = { [`/${field.name}`]: [{ _cnd: { not: field.default as string } }] };
	return [
		{ ...field, displayOptions: { show: { [SWITCH]: [true] } } },
		{ ...field, displayOptions: { show: { [SWITCH]: [false], ...hasValue } } },
	];
}

const OTHER_PLATFORM =
	"If you use only one platform, choose it as 'Platform to Test' in 'Technical Settings'";

/** What the credential test says instead of a bare status text. */
const MESSAGES: Partial<Record<StatusMeaning, string>> = {
	redirect:
		"'Base URL' redirects to another address. Enter that address if it belongs to the service",
	unknownKey: `The service didn't accept 'API Key'. Copy it again, and check 'Base URL'. ${OTHER_PLATFORM}`,
	forbidden: `'API Key' can't list transactions. Use a full-access key. ${OTHER_PLATFORM}`,
	notFound:
		"There's no list of transactions here. Check 'Base URL' and 'Path Layout' (Current or Documented, in 'Technical Settings'). A service with only documented endpoints can't be tested",
	againstRule: `The service rejected the request. ${OTHER_PLATFORM}`,
	limited: 'The service is limiting requests. Try again in a minute',
	unavailable:
		"The service is temporarily unavailable. Try again in a few minutes. If this continues, check 'Base URL'",
};

const TEST_RULES: Array<IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody> = [
	...Object.entries(MESSAGES).flatMap(([meaning, message]) =>
		listStatuses(meaning as StatusMeaning).map((value) => ({
			type: 'responseCode' as const,
			properties: { value, message },
		})),
	),
	// A web page that answers 200 in place of the service: its text begins with the first tag.
	{
		type: 'responseSuccessBody',
		properties: {
			key: '0',
			value: '<',
			message:
				"A web page answered instead of the service. Check 'Base URL' and, in 'Technical Settings', 'Path Layout'",
		},
	},
];

/** Builds the part of an expression that gives a platform's prefix in the chosen layout. */
function buildPrefixExpression(platform: 'business' | 'realEstate', field: string): string {
	const { documented, current } = LAYOUTS;
	return `($credentials.pathLayout === "custom" ? $credentials.${field} ?? "" : $credentials.pathLayout === "current" ? "${current[platform]}" : "${documented[platform]}")`;
}

/**
 * The path of the test: transactions, because their path is the one that differs between the
 * layouts. A test can make one call only, and an account may be for one platform alone, so the
 * platform can be chosen. A prefix may be entered with or without slashes.
 */
const TEST_PATH = `={{ "/" + (($credentials.testPlatform === "realEstate" ? ${buildPrefixExpression('realEstate', 'realEstatePrefix')} : ${buildPrefixExpression('business', 'businessPrefix')}) + "/transactions").split("/").map((part) => part.trim()).filter((part) => part !== "").join("/") }}`;

/**
 * The credential of both nodes. It also works with n8n's HTTP Request node, which gets the API key
 * for the base URL's own origin only.
 */
export class SignAndCloseApi implements ICredentialType {
	name = 'signAndCloseApi';

	displayName = 'Sign and Close API';

	icon: Icon = {
		light: 'file:../icons/signAndClose.svg',
		dark: 'file:../icons/signAndClose.dark.svg',
	};

	documentationUrl = 'https://github.com/sign-and-close/n8n-nodes-sign-and-close#credential';

	properties: INodeProperties[] = [
		{
			...defineText(
				'Base URL',
				'baseUrl',
				'https://api.example.com',
				'API address, without an endpoint path',
			),
			required: true,
		},
		{
			...defineText(
				'API Key',
				'apiKey',
				'',
				"A full-access key that the service generated for your organization. It's sent in the ApiKey header, and only to the host of the base URL.",
			),
			typeOptions: { password: true },
			required: true,
		},
		defineText(
			'Organization ID',
			'organizationId',
			'or_1a2b3c4d',
			'Child organization that new transactions belong to. Leave empty to use the organization of the key.',
		),
		{
			displayName: 'Technical Settings',
			name: SWITCH,
			type: 'boolean',
			default: false,
			description:
				"Whether to show what depends on how the service is set up. Changed settings are always shown. 'Account: Check' finds out what's right.",
		},
		...defineTechnical(
			defineChoice(
				'Path Layout',
				'pathLayout',
				[
					['Current', 'current', 'Business /v1, real estate /mortgage/v2'],
					['Custom', 'custom', 'Enter your own prefixes'],
					['Documented', 'documented', 'Business without prefix, real estate /mortgage/v1'],
				],
				"URL prefixes the service uses. Ask the service if the test below can't find them.",
				{ default: 'documented' },
			),
		),
		definePrefix('Business', 'businessPrefix', ''),
		definePrefix('Real Estate', 'realEstatePrefix', '/mortgage/v1'),
		{
			...definePrefix('', 'realEstateAssurancePrefix', '/mortgage/v2'),
			displayName: 'Real Estate Prefix with Identity Checks',
			description: 'Closings whose signers must prove their identity go here',
		},
		definePrefix('Webhooks', 'webhooksPrefix', '/v2'),
		definePrefix(
			'Real Estate Webhooks',
			'realEstateWebhooksPrefix',
			'/mortgage/v2',
			'Where the webhooks of accounts for real estate alone are',
		),
		...defineTechnical(
			defineChoice(
				'Platform to Test',
				'testPlatform',
				[
					['Business', 'business'],
					['Real Estate', 'realEstate', 'For accounts that are for real estate alone'],
				],
				'Used only for the connection test',
			),
		),
		...defineTechnical({
			...defineText(
				'Identity Checks Field Name',
				'assuranceField',
				'',
				"API name of the object with a signer's identity checks. Some services use a branded name.",
			),
			default: 'assurance_requirement',
		}),
		...defineTechnical({
			...defineText(
				'Webhook Signature Header',
				'webhookSignatureHeader',
				'',
				'Header that holds the signature of each delivery. Some services use a branded name.',
			),
			default: 'X-Signature',
		}),
		...defineTechnical({
			...defineText(
				'Webhook Signing Key',
				'webhookSigningSecret',
				'',
				'Key that the service signs deliveries with. Leave empty to let the trigger choose one.',
			),
			typeOptions: { password: true },
		}),
	];

	/**
	 * Puts the API key on a request.
	 * @throws Error when the base URL can't be used or the request goes to another origin
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		try {
			return await Promise.resolve(authenticateRequest(credentials, options));
		} catch (thrown) {
			throw toCredentialError(thrown);
		}
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: TEST_PATH,
			qs: { limit: 1 },
			// n8n reads the first entry of a list, which may be empty. Of a text, it reads the text.
			encoding: 'text',
			disableFollowRedirect: true,
			timeout: 30_000,
		},
		// n8n's type allows rules of one kind only; its code takes both.
		rules: TEST_RULES as ICredentialTestRequest['rules'],
	};
}
