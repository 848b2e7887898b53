import { PageHeader } from "../../components/page-header.tsx";

export const PlatformPage = () => <PageHeader title="platform" />;
