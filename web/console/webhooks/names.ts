export { useWebhookLabel as useNameOf } from "../deliveries/use-labels.ts";
