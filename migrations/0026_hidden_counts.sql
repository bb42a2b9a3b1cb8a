-- Which counts the network hides at an observation: not measured for a reason of its own, and never zero. Null is none.
alter table post_metrics add column hidden text[];
