import { PageHeader } from "../../components/page-header.tsx";

export const WebhooksPage = () => <PageHeader title="webhooks" />;
