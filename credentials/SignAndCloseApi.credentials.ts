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

import { toCredentialError } from '../nodes/SignAndClose/core/nodeError';
import { authenticateRequest } from '../nodes/SignAndClose/service/transport/authenticate';

/*
 * The credential: base URL, API key, and the names and paths in which services differ. Every
 * request for the service passes through its `authenticate`.
 */

const custom = { show: { pathLayout: ['custom'] } };

const inWords = (value: number, message: string) => ({
	type: 'responseCode' as const,
	properties: { value, message },
});
const FORWARDED =
	"'Base URL' redirects to another address. Enter that address if it belongs to the service";

/** What the credential test says instead of bare status texts. */
const TEST_RULES: Array<IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody> = [
	...[301, 302, 303, 307, 308].map((status) => inWords(status, FORWARDED)),
	inWords(
		401,
		"The service didn't accept 'API Key'. Copy it again, without spaces, and check that it belongs to this 'Base URL'",
	),
	inWords(
		403,
		"'API Key' is valid but can't read webhooks. Use a full-access key: retrieving documents needs one too",
	),
	inWords(404, "Nothing was found at this address. Check 'Base URL' and 'Path Layout'"),
	inWords(429, 'The service is limiting requests. Try again in a minute'),
	inWords(
		500,
		"The service is temporarily unavailable. Try again in a few minutes. If this continues, check 'Base URL'",
	),
	inWords(502, "The service's gateway can't reach it at the moment. Try again in a few minutes"),
	inWords(503, 'The service is temporarily unavailable. Try again in a few minutes'),
	// A web page that answers 200 in place of the service: its text begins with the first tag.
	{
		type: 'responseSuccessBody',
		properties: {
			key: '0',
			value: '<',
			message: "A web page answered instead of the service. Check 'Base URL' and 'Path Layout'",
		},
	},
];

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
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without the path of an endpoint',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"A full-access key that the service generated for your organization. It's sent in the ApiKey header, and only to the host of the base URL.",
		},
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			type: 'string',
			default: '',
			placeholder: 'e.g. or_1a2b3c4d',
			description:
				'Child organization that new transactions belong to. Leave empty to use the organization of the key.',
		},
		{
			displayName: 'Path Layout',
			name: 'pathLayout',
			type: 'options',
			options: [
				{
					name: 'Current',
					value: 'current',
					description: 'Business /v1, real estate /mortgage/v2',
				},
				{ name: 'Custom', value: 'custom', description: 'Enter your own prefixes' },
				{
					name: 'Documented',
					value: 'documented',
					description: 'Business without prefix, real estate /mortgage/v1',
				},
			],
			default: 'documented',
			description:
				"URL prefixes the service uses. Ask the service if the test below can't find them.",
		},
		{
			displayName: 'Business Prefix',
			name: 'businessPrefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. /v1',
			displayOptions: custom,
		},
		{
			displayName: 'Real Estate Prefix',
			name: 'realEstatePrefix',
			type: 'string',
			default: '/mortgage/v1',
			displayOptions: custom,
		},
		{
			displayName: 'Real Estate Prefix With Identity Assurance',
			name: 'realEstateAssurancePrefix',
			type: 'string',
			default: '/mortgage/v2',
			displayOptions: custom,
			description: 'Closings whose signers must prove their identity go here',
		},
		{
			displayName: 'Webhooks Prefix',
			name: 'webhooksPrefix',
			type: 'string',
			default: '/v2',
			displayOptions: custom,
		},
		{
			displayName: 'Assurance Field Name',
			name: 'assuranceField',
			type: 'string',
			default: 'assurance_requirement',
			description:
				"API name of the signer's identity-assurance object. Some services use a branded name.",
		},
		{
			displayName: 'Webhook Signature Header',
			name: 'webhookSignatureHeader',
			type: 'string',
			default: 'X-Signature',
			description:
				'Header that holds the signature of each delivery. Some services use a branded name.',
		},
		{
			displayName: 'Webhook Signing Key',
			name: 'webhookSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Key that the service signs deliveries with. Leave empty to let the trigger choose one.',
		},
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
			url: '={{ $credentials.pathLayout === "custom" ? "/" + ($credentials.webhooksPrefix ?? "").replace(/^\\/+|\\/+$/g, "") + "/webhooks" : "/v2/webhooks" }}',
			disableFollowRedirect: true,
			timeout: 30_000,
		},
		// n8n's type allows rules of one kind only; its code takes both.
		rules: TEST_RULES as ICredentialTestRequest['rules'],
	};
}
