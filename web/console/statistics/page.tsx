import { PageHeader } from "../../components/page-header.tsx";

export const StatisticsPage = () => <PageHeader title="statistics" />;
